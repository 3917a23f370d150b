import type { handleUnaryCall } from "@grpc/grpc-js";
import { toServiceError } from "./errors";
import type { EngineLog } from "./log";
import type { Operation, Provider } from "./provider";
import type { Properties } from "./values";
import { containsSecret } from "./wire";

/** One run of a provider process under one engine. */
export interface Session {
    readonly provider: Provider;
    readonly log: EngineLog;
    /** Aborted when the user cancels or the engine goes away. */
    readonly signal: AbortSignal;
    cancel(): void;
    /** Work under way; the process waits a moment for it before it ends. */
    readonly pending: Set<Promise<unknown>>;
}

/** Turns a handler into a gRPC method. Log messages arrive before the answer, so that none is shown too late. */
export function answer<Q, R>({ log, pending }: Session, handle: (request: Q) => Promise<R> | R): handleUnaryCall<Q, R> {
    return async (call, callback) => {
        const work = (async () => handle(call.request))();
        pending.add(work);
        try {
            const response = await work;
            await log.flushed();
            callback(null, response);
        } catch (error) {
            await log.flushed();
            callback(toServiceError(error));
        } finally {
            pending.delete(work);
        }
    };
}

/** What a provider is told of every operation; `raw` are the properties whose secrets count. */
export function operationOf({ log, signal }: Session, urn: string, raw: Properties): Operation {
    const [, type = "", name = ""] = /^urn:pulumi:[^:]*::[^:]*::(?:.*\$)?(.*?)::(.*)$/s.exec(urn) ?? [];
    const secrets = new Set(Object.keys(raw).filter((key) => containsSecret(raw[key])));
    return { urn, type, name, log: log.for(urn), signal, secrets };
}
