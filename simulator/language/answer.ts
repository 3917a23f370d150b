import type { handleUnaryCall } from "@grpc/grpc-js";
import { toServiceError } from "../plugin/errors";

/** A gRPC handler of a function that takes a request; what that throws is an answer too. */
export function answer<Q, R>(handle: (request: Q) => Promise<R> | R): handleUnaryCall<Q, R> {
    return (call, callback) => {
        // Not on the caller's stack.
        Promise.resolve(call.request)
            .then(handle)
            .then(
                (response) => callback(null, response),
                (error) => callback(toServiceError(error)),
            );
    };
}
