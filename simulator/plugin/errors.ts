import { AssertionError } from "node:assert";
import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Properties } from "./values";
import { encode } from "./wire";

/** The resource exists but did not become what was asked: the engine records it together with the reasons. */
export class InitializationError extends Error {
    constructor(
        message: string,
        readonly id: string,
        readonly state: Properties,
        readonly reasons: readonly string[] = [message],
    ) {
        super(message);
    }
}

/** What the engine prints: the message alone for the user's errors, with the stack for a fault of the provider. */
export function toServiceError(error: unknown): ServiceError {
    const message = describe(error);
    return Object.assign(new Error(message), {
        code: status.UNKNOWN,
        details: message,
        metadata: error instanceof InitializationError ? details(error) : new Metadata(),
    });
}

function describe(error: unknown): string {
    if (!(error instanceof Error)) return String(error);
    const isFault = [TypeError, ReferenceError, RangeError, AssertionError].some((kind) => error instanceof kind);
    return isFault ? (error.stack ?? error.message) : error.message;
}

function details({ id, state, reasons, message }: InitializationError): Metadata {
    const failed = new ErrorResourceInitFailed()
        .setId(id)
        .setProperties(encode(state))
        .setReasonsList([...reasons]);
    const any = new Any();
    any.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const response = new Status().setCode(status.UNKNOWN).setMessage(message);
    response.addDetails(any);
    const metadata = new Metadata();
    metadata.set("grpc-status-details-bin", Buffer.from(response.serializeBinary()));
    return metadata;
}
