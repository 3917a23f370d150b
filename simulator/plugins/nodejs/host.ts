import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import * as rpc from "@pulumi/pulumi/proto/language_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { toServiceError } from "../protocol/responses";
import { listen } from "../protocol/serve";
import { untilEngineEnds } from "../protocol/session";

/** Serves a language until the engine ends. @param ended - waits for programs that were aborted */
export async function serveHost(
    own: (engineAddress: () => string, signal: AbortSignal) => UntypedServiceImplementation,
    ended: () => Promise<unknown> = async () => undefined,
): Promise<never> {
    // Flags such as `-v=9` precede the address.
    let engineAddress = process.argv[process.argv.length - 1]!;
    const controller = new AbortController();
    const port = await listen((server) => {
        server.addService(LanguageRuntimeService, {
            handshake: answer((request: rpc.LanguageHandshakeRequest) => {
                engineAddress = request.getEngineAddress();
                return new rpc.LanguageHandshakeResponse();
            }),
            // The engine selects plugins by name; it would only compare a version with that of the CLI.
            getPluginInfo: answer(() => new PluginInfo()),
            cancel: answer(() => {
                controller.abort();
                return new Empty();
            }),
            ...own(() => engineAddress, controller.signal),
        });
    });
    process.stdout.write(`${port}\n`);

    await untilEngineEnds();
    controller.abort();
    await ended();
    process.exit(0);
}

/** A gRPC handler from a function that takes a request; exceptions become error responses. */
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
