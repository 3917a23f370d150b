import * as rpc from "@pulumi/pulumi/proto/language_pb";
import { PackageDependency } from "@pulumi/pulumi/proto/plugin_pb";
import { answer, serveHost } from "./host";
import { installDependencies, installedDependencies } from "./packages";
import { runPlugin, runProgram } from "./run-program";

const programs = new Set<Promise<unknown>>();

/** The Node language host: starts programs for the engine with the SDK's own runner. */
void serveHost(
    (engineAddress, signal) => ({
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
            const program = runProgram(request, engineAddress(), signal);
            programs.add(program);
            return program.finally(() => programs.delete(program));
        }),
        installDependencies,
        runPlugin,
    }),
    () => Promise.allSettled(programs),
);

function packageDependency({ name, version, server }: { name: string; version: string; server: string }) {
    return new PackageDependency().setName(name).setKind("resource").setVersion(version).setServer(server);
}
