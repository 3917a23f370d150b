import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { printable } from "../../../clients/printable";

/** Messages of one resource; `pulumi up` shows them in call order. */
export interface Log {
    debug(message: string): void;
    info(message: string): void;
    warn(message: string): void;
    error(message: string): void;
    /** Shown next to the resource during its operation, then discarded. */
    status(message: string): void;
}

/** The engine's log, over gRPC. */
export class EngineLog {
    private client?: EngineClient;
    // Calls over one connection may overtake each other; a chain keeps the lines in order.
    private last: Promise<void> = Promise.resolve();

    connect(address: string): void {
        this.client?.close();
        this.client = new EngineClient(address, credentials.createInsecure());
    }

    for(urn: string): Log {
        const send = (severity: LogSeverity, ephemeral = false) => {
            return (message: string) => {
                this.last = this.last.then(() => this.send(urn, severity, message, ephemeral));
            };
        };
        return {
            debug: send(LogSeverity.DEBUG),
            info: send(LogSeverity.INFO),
            warn: send(LogSeverity.WARNING),
            error: send(LogSeverity.ERROR),
            status: send(LogSeverity.INFO, true),
        };
    }

    /** Resolves when all messages so far have arrived, so that none arrives after its resource has finished. */
    flushed(): Promise<void> {
        return this.last;
    }

    close(): void {
        this.client?.close();
    }

    private send(urn: string, severity: LogSeverity, message: string, ephemeral: boolean): Promise<void> {
        const { client } = this;
        if (!client) return Promise.resolve();
        const request = new LogRequest()
            .setUrn(urn)
            .setSeverity(severity)
            .setMessage(printable(message))
            .setEphemeral(ephemeral);
        // If the engine has exited, the provider's operation must still succeed.
        return new Promise((resolve) => client.log(request, () => resolve()));
    }
}
