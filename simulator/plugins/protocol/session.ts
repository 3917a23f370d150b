import { fstatSync } from "node:fs";
import type { handleUnaryCall } from "@grpc/grpc-js";
import type { EngineLog } from "./log";
import type { Operation, Provider } from "./provider";
import { toServiceError } from "./responses";
import { containsSecret } from "./struct";
import type { Properties } from "./values";

/** One run of a provider process under one engine. */
export interface Session {
    readonly provider: Provider;
    readonly log: EngineLog;
    /** Aborted when the user cancels or the engine exits. */
    readonly signal: AbortSignal;
    cancel(): void;
    /** Operations in progress; the process waits briefly for them before it exits. */
    readonly pending: Set<Promise<unknown>>;
}

/** Turns a handler into a gRPC method. Log messages arrive before the response, so that none is shown too late. */
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

/** The common part of every operation; `raw` are the properties whose secrets matter. */
export function operationOf({ log, signal }: Session, urn: string, raw: Properties): Operation {
    const [, type = "", name = ""] = /^urn:pulumi:[^:]*::[^:]*::(?:.*\$)?(.*?)::(.*)$/s.exec(urn) ?? [];
    const secrets = new Set(Object.keys(raw).filter((key) => containsSecret(raw[key])));
    return { urn, type, name, log: log.for(urn), signal, secrets };
}

/**
 * Resolves when this plugin should exit: the engine sent a signal or has exited. The engine holds the other end of our
 * standard input, so end of file is seen even if the engine was killed.
 */
export function untilEngineEnds(): Promise<void> {
    return new Promise((resolve) => {
        process.once("SIGINT", () => resolve());
        process.once("SIGTERM", () => resolve());
        process.once("SIGHUP", () => resolve());
        // If started manually (PULUMI_DEBUG_PROVIDERS), it is a terminal or /dev/null, whose end means nothing.
        if (!fstatSync(0).isFIFO() && !fstatSync(0).isSocket()) return;
        process.stdin.once("end", () => resolve()).once("error", () => resolve());
        process.stdin.resume();
    });
}
