// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import ObscuraCapture

/// The node's controls, such as brightness and focus. They can be read and set while another descriptor streams.
extension V4L2Device: V4L2ControlPort {
    func nextControl(after id: UInt32) throws(V4L2Refusal) -> V4L2ControlInfo? {
        var query = v4l2_query_ext_ctrl()
        query.id = id | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) | UInt32(V4L2_CTRL_FLAG_NEXT_COMPOUND)
        switch obscuraQueryControl(descriptor, &query) {
        case 0: return V4L2ControlInfo(query)
        // The end of the list, or a driver without controls.
        case EINVAL, ENOTTY: return nil
        case let status: throw V4L2Refusal(errno: status)
        }
    }

    func menuItem(of id: UInt32, at index: UInt32, isNumber: Bool) -> V4L2MenuItem? {
        var query = v4l2_querymenu()
        query.id = id
        query.index = index
        guard obscuraQueryMenu(descriptor, &query) == 0 else { return nil }
        return isNumber ? .number(query.value) : .title(kernelText(query.name))
    }

    func value(of id: UInt32, isWide: Bool) -> Result<Int64, V4L2Refusal> {
        var control = v4l2_ext_control()
        control.id = id
        let status = request(&control, obscuraGetControls)
        guard status == 0 else { return .failure(V4L2Refusal(errno: status)) }
        return .success(isWide ? control.value64 : Int64(control.value))
    }

    func setValue(of id: UInt32, to value: Int64, isWide: Bool) -> V4L2Refusal? {
        var control = v4l2_ext_control()
        control.id = id
        if isWide {
            control.value64 = value
        } else {
            // The highest bit of a mask is not a sign.
            control.value = Int32(truncatingIfNeeded: value)
        }
        let status = request(&control, obscuraSetControls)
        return status == 0 ? nil : V4L2Refusal(errno: status)
    }

    /// Returns the value of a numeric control; nil if the node has no such control.
    func integerControl(_ id: UInt32) -> Int64? {
        var query = v4l2_query_ext_ctrl()
        query.id = id
        guard obscuraQueryControl(descriptor, &query) == 0 else { return nil }
        switch V4L2ControlInfo(query).kind {
        case .integer, .boolean, .menu, .integerMenu: return try? value(of: id, isWide: false).get()
        case .integer64: return try? value(of: id, isWide: true).get()
        case .button, .bitmask, .text, .headline, .other: return nil
        }
    }

    /// Requests one control: some drivers do not report which one of several failed.
    private func request(
        _ control: inout v4l2_ext_control, _ call: (Int32, UnsafeMutablePointer<v4l2_ext_controls>) -> Int32
    ) -> Int32 {
        withUnsafeMutablePointer(to: &control) { control in
            var request = v4l2_ext_controls()
            request.which = UInt32(V4L2_CTRL_WHICH_CUR_VAL)
            request.count = 1
            request.controls = control
            return call(descriptor, &request)
        }
    }
}

extension V4L2ControlInfo {
    fileprivate init(_ query: v4l2_query_ext_ctrl) {
        let has = { (flag: Int32) in query.flags & UInt32(bitPattern: flag) != 0 }
        self.init(
            id: query.id, kind: Kind(query.type), title: kernelText(query.name), minimum: query.minimum,
            maximum: query.maximum, step: query.step, defaultValue: query.default_value,
            isArray: query.elems > 1 || query.nr_of_dims > 0, isDisabled: has(V4L2_CTRL_FLAG_DISABLED),
            isReadOnly: has(V4L2_CTRL_FLAG_READ_ONLY), isWriteOnly: has(V4L2_CTRL_FLAG_WRITE_ONLY),
            isInactive: has(V4L2_CTRL_FLAG_INACTIVE))
    }
}

extension V4L2ControlInfo.Kind {
    fileprivate init(_ type: UInt32) {
        switch v4l2_ctrl_type(rawValue: type) {
        case V4L2_CTRL_TYPE_INTEGER: self = .integer
        case V4L2_CTRL_TYPE_INTEGER64: self = .integer64
        case V4L2_CTRL_TYPE_BOOLEAN: self = .boolean
        case V4L2_CTRL_TYPE_MENU: self = .menu
        case V4L2_CTRL_TYPE_INTEGER_MENU: self = .integerMenu
        case V4L2_CTRL_TYPE_BUTTON: self = .button
        case V4L2_CTRL_TYPE_BITMASK: self = .bitmask
        case V4L2_CTRL_TYPE_STRING: self = .text
        case V4L2_CTRL_TYPE_CTRL_CLASS: self = .headline
        default: self = .other(type)
        }
    }
}
