import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import * as rpc from "@pulumi/pulumi/proto/language_pb";
import { PackageDependency, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { listen } from "../protocol/serve";
import { untilEngineEnds } from "../protocol/session";
import { answer } from "./host";
import { installDependencies, installedDependencies } from "./packages";
import { runPlugin, runProgram } from "./run-program";

/** The Node language host: starts programs for the engine with the SDK's own runner. */
async function main(): Promise<never> {
    // Flags such as `-v=9` precede the address.
    let engineAddress = process.argv[process.argv.length - 1];
    const controller = new AbortController();
    const programs = new Set<Promise<unknown>>();

    const port = await listen((server) => {
        server.addService(LanguageRuntimeService, {
            handshake: answer((request: rpc.LanguageHandshakeRequest) => {
                engineAddress = request.getEngineAddress();
                return new rpc.LanguageHandshakeResponse();
            }),
            // The engine selects plugins by name; it would only compare a version with that of the CLI.
            getPluginInfo: answer(() => new PluginInfo()),
            getRequiredPackages: answer((request: rpc.GetRequiredPackagesRequest) => {
                const dependencies = installedDependencies(request.getInfo()!.getProgramDirectory());
                return new rpc.GetRequiredPackagesResponse().setPackagesList(
                    dependencies.flatMap(({ plugin }) => (plugin ? [packageDependency(plugin)] : [])),
                );
            }),
            getProgramDependencies: answer((request: rpc.GetProgramDependenciesRequest) => {
                const dependencies = installedDependencies(request.getInfo()!.getProgramDirectory());
                return new rpc.GetProgramDependenciesResponse().setDependenciesList(
                    dependencies.map(({ name, version }) => new rpc.DependencyInfo().setName(name).setVersion(version)),
                );
            }),
            about: answer(() => new rpc.AboutResponse().setExecutable(process.execPath).setVersion(process.version)),
            run: answer(async (request: rpc.RunRequest) => {
                const program = runProgram(request, engineAddress, controller.signal);
                programs.add(program);
                return program.finally(() => programs.delete(program));
            }),
            cancel: answer(() => {
                controller.abort();
                return new Empty();
            }),
            installDependencies,
            runPlugin,
        });
    });
    process.stdout.write(`${port}\n`);

    await untilEngineEnds();
    controller.abort();
    await Promise.allSettled(programs);
    process.exit(0);
}

function packageDependency({ name, version, server }: { name: string; version: string; server: string }) {
    return new PackageDependency().setName(name).setKind("resource").setVersion(version).setServer(server);
}

void main();
