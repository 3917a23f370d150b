import type { handleUnaryCall, ServerWritableStream } from "@grpc/grpc-js";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import * as rpc from "@pulumi/pulumi/proto/language_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { toServiceError } from "../protocol/responses";
import { listen } from "../protocol/serve";
import { untilEngineEnds } from "../protocol/session";

/** Runs a program to completion; throws the message for the user. */
type RunProgram = (request: rpc.RunRequest, engineAddress: string, signal: AbortSignal) => Promise<void>;

/** Writes a package's SDK, from its schema, into a folder. */
type GenerateSdk = (schema: string, folder: string) => void;

/**
 * A language host that runs programs, and writes the SDKs that `pulumi package add` requests; adding those to programs
 * is left to others. Plugins are loaded when a program requests one.
 */
export async function serveLanguage(runProgram: RunProgram, generateSdk: GenerateSdk): Promise<never> {
    // Flags such as `-v=9` precede the address.
    let engineAddress = process.argv[process.argv.length - 1]!;
    const controller = new AbortController();
    const port = await listen((server) => {
        server.addService(LanguageRuntimeService, {
            handshake: answer((request: rpc.LanguageHandshakeRequest) => {
                engineAddress = request.getEngineAddress();
                return new rpc.LanguageHandshakeResponse();
            }),
            getPluginInfo: answer(() => new PluginInfo()),
            getRequiredPackages: answer(() => new rpc.GetRequiredPackagesResponse()),
            getProgramDependencies: answer(() => new rpc.GetProgramDependenciesResponse()),
            about: answer(() => new rpc.AboutResponse()),
            run: answer(async (request: rpc.RunRequest) => {
                const response = new rpc.RunResponse();
                return runProgram(request, engineAddress, controller.signal).then(
                    () => response,
                    (error: Error) => response.setError(error.message),
                );
            }),
            generatePackage: answer((request: rpc.GeneratePackageRequest) => {
                generateSdk(request.getSchema(), request.getDirectory());
                return new rpc.GeneratePackageResponse();
            }),
            link: answer(() => new rpc.LinkResponse()),
            cancel: answer(() => {
                controller.abort();
                return new Empty();
            }),
            installDependencies: (call: ServerWritableStream<unknown, unknown>) => call.end(),
        });
    });
    process.stdout.write(`${port}\n`);

    await untilEngineEnds();
    controller.abort();
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
