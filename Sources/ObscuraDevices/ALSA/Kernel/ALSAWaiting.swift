// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CALSA
internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// The wait for an open PCM of libasound.
enum ALSAWaiting {
    /// Blocks until the PCM has this event, the event descriptor is signaled, or the deadline has passed.
    ///
    /// - Parameter event: POLLIN for sound to read, POLLOUT for room to write.
    static func wait(
        for pcm: OpaquePointer, event: Int32, with eventFD: EventFD, until deadline: HostTime
    ) -> EventFD.Wait {
        let count = max(0, snd_pcm_poll_descriptors_count(pcm))
        var entries = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 0), count: Int(count))
        guard snd_pcm_poll_descriptors(pcm, &entries, UInt32(count)) == count else { return .failed }
        while true {
            let wait = eventFD.wait(withAny: &entries, until: deadline)
            guard wait == .ready else { return wait }
            // Only libasound can interpret the descriptors: those of a plug-in may wake for another reason.
            var events: UInt16 = 0
            let status = snd_pcm_poll_descriptors_revents(pcm, &entries, UInt32(count), &events)
            guard status == 0 else { return .failed }
            if events & UInt16(POLLERR | POLLNVAL | POLLHUP) != 0 { return .failed }
            if events & UInt16(event) != 0 { return .ready }
            // A wait that a descriptor ends at once never times out.
            if .now >= deadline { return .timedOut }
        }
    }
}
