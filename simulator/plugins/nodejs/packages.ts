import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ServerWritableStream } from "@grpc/grpc-js";
import { type InstallDependenciesRequest, InstallDependenciesResponse } from "@pulumi/pulumi/proto/language_pb";

/** The parts of a package.json that Pulumi reads. */
interface Manifest {
    readonly name?: string;
    readonly version?: string;
    readonly dependencies?: Record<string, string>;
    readonly devDependencies?: Record<string, string>;
    readonly pulumi?: { resource?: boolean; name?: string; version?: string; server?: string };
}

interface Dependency {
    readonly name: string;
    readonly version: string;
    /** The provider plugin that the package needs, if it is a provider's SDK. */
    readonly plugin?: { name: string; version: string; server: string };
}

/**
 * The installed direct dependencies of the program in `directory`. The official host walks all of `node_modules`; here,
 * the engine finds the provider of an indirect dependency when its first resource is registered.
 */
export function installedDependencies(directory: string): Dependency[] {
    const root = findUp(directory, "package.json");
    if (!root) return [];
    const { dependencies, devDependencies } = readManifest(join(root, "package.json"));
    return Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => {
        const home = findUp(root, join("node_modules", name, "package.json"));
        return home ? [describe(name, readManifest(join(home, "node_modules", name, "package.json")))] : [];
    });
}

/** The missing dependencies of the package in `directory`; versions are not checked. */
export function missingDependencies(directory: string): string[] {
    const { dependencies } = readManifest(join(directory, "package.json"));
    return Object.keys(dependencies ?? {}).filter(
        (name) => !findUp(directory, join("node_modules", name, "package.json")),
    );
}

function describe(name: string, { version = "", pulumi }: Manifest): Dependency {
    if (!pulumi?.resource) return { name, version };
    const plugin = {
        name: pulumi.name ?? name.replace("@pulumi/", ""),
        version: `v${(pulumi.version ?? version).replace(/^v/, "")}`,
        server: pulumi.server ?? "",
    };
    return { name, version, plugin };
}

/** The nearest parent directory that contains `path`. */
function findUp(directory: string, path: string): string | undefined {
    if (existsSync(join(directory, path))) return directory;
    const parent = dirname(directory);
    return parent === directory ? undefined : findUp(parent, path);
}

function readManifest(path: string): Manifest {
    return JSON.parse(readFileSync(path, "utf8"));
}

/** `pulumi install`: npm, in the directory of the nearest package.json, unless all its dependencies are installed. */
export function installDependencies(
    call: ServerWritableStream<InstallDependenciesRequest, InstallDependenciesResponse>,
): void {
    const directory = call.request.getInfo()?.getProgramDirectory() || call.request.getDirectory();
    const root = findUp(directory, "package.json");
    if (root && missingDependencies(root).length === 0) {
        call.end();
        return;
    }
    const cwd = root ?? directory;
    const child = spawn("npm", ["install", "--loglevel=error"], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.on("data", (data: Buffer) => call.write(new InstallDependenciesResponse().setStdout(data)));
    child.stderr.on("data", (data: Buffer) => call.write(new InstallDependenciesResponse().setStderr(data)));
    child.once("error", (error) => call.destroy(error));
    child.once("close", (code) => {
        if (code === 0) call.end();
        else call.destroy(new Error(`npm install in ${cwd} failed with exit code ${code}`));
    });
}
