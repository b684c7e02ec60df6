# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests how the page applies states and responses that arrive in any order."""

import unittest

import studio_test

# A separate store, whose fake server responds to a change when the test does. `shown` lists the values of each camera.
STORE = """
    const { Store } = await import('/assets/store.js');
    const { api } = await import('/assets/api.js');
    const camera = (id, revision, values) => ({ id, revision, torch: false, isMirrored: false, ...values });
    const state = (revision, ...cameras) => ({ revision, cameras, visit: [] });
    const store = new Store();
    const shown = () => store.cameras.map(({ id, torch, isMirrored }) => [id, torch, isMirrored]);
    const answers = [];
    api.patchCamera = () => new Promise((resolve, reject) => answers.push({ resolve, reject }));
    const seen = [];
    const note = () => seen.push(shown());
"""


class StoreTest(studio_test.PageTest):

    def setUp(self):
        super().setUp()
        self.page.open()

    def seen(self, script):
        return self.page.awaited(f"{STORE}{script}; return seen;")

    def test_a_state_from_before_an_answer_changes_nothing(self):
        self.assertEqual(self.seen("""
            store.apply(state(1, camera('1', 1)));
            const patched = store.patch('1', { torch: true }); note();
            store.apply(state(2, camera('1', 2))); note();
            answers[0].resolve(camera('1', 4, { torch: true }));
            await patched; note();
            store.apply(state(3, camera('1', 3))); note();
            store.apply(state(5, camera('1', 5, { isMirrored: true }))); note();
        """), [[["1", True, False]]] * 4 + [[["1", False, True]]])

    def test_an_answer_from_before_a_state_changes_nothing(self):
        self.assertEqual(self.seen("""
            store.apply(state(1, camera('1', 1)));
            const patched = store.patch('1', { torch: true });
            store.apply(state(3, camera('1', 3, { isMirrored: true }))); note();
            answers[0].resolve(camera('1', 2, { torch: true }));
            await patched; note();
            store.apply(state(2, camera('1', 2))); note();
        """), [[["1", True, True]], [["1", False, True]], [["1", False, True]]])

    def test_several_changes_stay_until_the_last_is_answered_and_a_refused_one_goes(self):
        self.assertEqual(self.seen("""
            store.apply(state(1, camera('1', 1)));
            const first = store.patch('1', { torch: true });
            const second = store.patch('1', { isMirrored: true }); note();
            answers[0].resolve(camera('1', 2, { torch: true }));
            await first; note();
            api.camera = async () => camera('1', 3, { torch: true });
            answers[1].reject(Object.assign(new Error('refused'), { name: 'StudioError' }));
            await second; note();
        """), [[["1", True, True]], [["1", True, True]], [["1", True, False]]])

    def test_an_answer_is_one_change_without_the_old_value_before_it(self):
        self.assertEqual(self.seen("""
            store.apply(state(1, camera('1', 1)));
            const patched = store.patch('1', { torch: true });
            store.addEventListener('change', note);
            answers[0].resolve(camera('1', 2, { torch: true }));
            await patched;
        """), [[["1", True, False]]])

    def test_cameras_come_and_go(self):
        self.assertEqual(self.seen("""
            store.apply(state(1, camera('1', 1)));
            store.applyCamera(camera('2', 3)); note();
            store.apply(state(2, camera('1', 2))); note();
            store.apply(state(4, camera('2', 4))); note();
            store.removeCamera('2'); note();
        """), [[["1", False, False], ["2", False, False]]] * 2 + [[["2", False, False]], []])

    def test_a_server_that_was_started_anew_is_believed(self):
        self.assertEqual(self.seen("""
            store.apply(state(7, camera('1', 8)));
            store.forgetRevisions();
            store.apply(state(1, camera('1', 1, { torch: true }))); note();
        """), [[["1", True, False]]])


if __name__ == "__main__":
    unittest.main()
