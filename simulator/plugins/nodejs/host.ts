import type { handleUnaryCall, ServerWritableStream, UntypedServiceImplementation } from "@grpc/grpc-js";
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
export function serveLanguage(runProgram: RunProgram, generateSdk: GenerateSdk): Promise<never> {
    return serveHost((engineAddress, signal) => ({
        getRequiredPackages: answer(() => new rpc.GetRequiredPackagesResponse()),
        getProgramDependencies: answer(() => new rpc.GetProgramDependenciesResponse()),
        about: answer(() => new rpc.AboutResponse()),
        run: answer(async (request: rpc.RunRequest) => {
            const response = new rpc.RunResponse();
            return runProgram(request, engineAddress(), signal).then(
                () => response,
                (error: Error) => response.setError(error.message),
            );
        }),
        generatePackage: answer((request: rpc.GeneratePackageRequest) => {
            generateSdk(request.getSchema(), request.getDirectory());
            return new rpc.GeneratePackageResponse();
        }),
        link: answer(() => new rpc.LinkResponse()),
        installDependencies: (call: ServerWritableStream<unknown, unknown>) => call.end(),
    }));
}

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
