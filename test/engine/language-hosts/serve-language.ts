import type { ServerWritableStream } from "@grpc/grpc-js";
import * as rpc from "@pulumi/pulumi/proto/language_pb";
import { answer, serveHost } from "../../../simulator/plugins/nodejs/host";

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
