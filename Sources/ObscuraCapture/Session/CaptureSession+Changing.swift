// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Atomic changes of the graph. On the control thread.
extension CaptureSession {
    func refusal(_ change: (inout Configuration) throws -> Void) -> ObscuraError? {
        var configuration = Configuration(graph: state.withLock { $0.graph })
        do {
            try change(&configuration)
            _ = try configuration.graph.plan()
            try checkOwners(of: configuration.graph)
            return nil
        } catch {
            return ObscuraError(refusing: error)
        }
    }

    /// Makes the change, or returns an input that first needs the user's permission.
    func commit(
        _ change: (inout Configuration) throws -> Void
    ) throws(ObscuraError) -> CaptureDeviceInput? {
        var configuration = Configuration(graph: state.withLock { $0.graph })
        do { try change(&configuration) } catch { throw ObscuraError(refusing: error) }
        let graph = configuration.graph
        let plan = try graph.plan()
        try checkOwners(of: graph)
        let (former, formerPlan, sources, machine) = state.withLock { state in
            (state.graph, state.plan, state.sources, state.machine)
        }
        let running = machine.isRunning ? sources : nil
        let joining = graph.outputs.filter { output in !former.outputs.contains { $0 === output } }
        // While the session runs or starts, nothing else requests permission for a new camera.
        if !machine.isStopped,
            let unasked = graph.inputs.first(where: { !former.inputs.contains($0) && !isAllowed($0) })
        {
            guard unasked.device.authorizationStatus == .notDetermined else { throw .notAuthorized(unasked.device) }
            return unasked
        }
        var retired: [RunningSource] = []
        if let running {
            for output in former.outputs { output.sourcesWillChange() }
            let exchange = try SourceExchange(from: running, to: graph.inputs, requests: plan.requests) {
                [self] input, request throws(ObscuraError) in try open(input, request)
            }
            if let error = exchange.error {
                install(exchange.sources, formerPlan)
                forget(exchange.stopped)
                for source in exchange.sources { source.source.announce() }
                end(exchange.failures, formerPlan)
                throw error
            }
            for output in joining { output.sessionWillStart() }
            // Further frames arrived while a device was opened.
            if !exchange.retired.isEmpty { for output in former.outputs { output.sourcesWillChange() } }
            install(exchange.sources, plan)
            forget(exchange.stopped)
            for source in exchange.sources { source.source.announce() }
            retired = exchange.retired
        } else if machine.isPaused {
            // A paused session keeps only sources that have ended; a new output gets that end.
            for output in joining { output.sessionWillStart() }
            install(sources.filter { graph.inputs.contains($0.source.input) }, plan)
            retired = sources.filter { !graph.inputs.contains($0.source.input) }
        }
        state.withLock { state in
            state.graph = graph
            state.plan = plan
        }
        for output in graph.outputs { output.connections.forEach { $0.belong(to: self) } }
        // Readers are closed before sources: a source may be blocked by a reader.
        for output in former.outputs where !graph.outputs.contains(where: { $0 === output }) {
            let callbacks = output.sessionWillStop()
            state.withLock { state in
                state.leaving.removeAll { !$0.isCalling }
                state.leaving += callbacks
            }
            for connection in output.connections {
                connection.join(nil, input: nil)
                connection.belong(to: nil)
            }
        }
        retire(retired)
        if running == nil, !machine.isPaused {
            for route in plan.routes { route.connection.join(nil, input: route.input) }
        }
        // Perhaps only sources that had ended remain.
        closeIfAllEnded()
        return nil
    }

    func checkOwners(of graph: SessionGraph) throws(ObscuraError) {
        for output in graph.outputs where !output.connections.allSatisfy({ $0.isFree(for: self) }) {
            throw .invalidConfiguration(
                "the output \(output.name)", "it is in another session",
                "Remove it from that session first, or create another output.")
        }
    }

    /// Reports devices that could not be restored; stops the session if no device is left.
    func end(
        _ failures: [(input: CaptureDeviceInput, error: ObscuraError)], _ plan: SessionGraph.Plan
    ) {
        // After a stop in the meantime, the stop reports the outcome.
        guard state.withLock({ $0.machine.isRunning }) else { return }
        for failure in failures {
            for route in plan.routes where route.input == failure.input {
                route.connection.finish(throwing: failure.error, from: nil)
            }
            listeners.send(.runtimeError(failure.input.device, failure.error))
        }
        let isOver = state.withLock { $0.sources.isEmpty && $0.machine.stop() == .close }
        if isOver { announceStop() } else { closeIfAllEnded() }
    }

    /// Takes the sources over, and routes their frames.
    func install(_ sources: [RunningSource], _ plan: SessionGraph.Plan) {
        adopt(sources, plan)
        route(sources, plan)
    }

    /// Takes the sources over. They deliver nothing until their frames are routed.
    func adopt(_ sources: [RunningSource], _ plan: SessionGraph.Plan) {
        state.withLock { state in
            state.sources = sources
            state.plan = plan
        }
    }

    /// Routes the frames of the sources, atomically for each connection.
    func route(_ sources: [RunningSource], _ plan: SessionGraph.Plan) {
        for source in sources {
            source.source.route(
                to: plan.routes.filter { $0.input == source.source.input }.map(\.connection))
        }
        // The other connections get no frames, and frames of a former camera are discarded.
        for route in plan.routes where !sources.contains(where: { $0.source.input == route.input }) {
            route.connection.join(nil, input: route.input)
        }
    }
}
