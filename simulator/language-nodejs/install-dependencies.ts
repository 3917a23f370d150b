import { spawn } from "node:child_process";
import type { ServerWritableStream } from "@grpc/grpc-js";
import type { InstallDependenciesRequest } from "@pulumi/pulumi/proto/language_pb";
import { InstallDependenciesResponse } from "@pulumi/pulumi/proto/language_pb";
import { findUp, missingDependencies } from "./packages";

/** `pulumi install`: npm, in the directory of the nearest package.json, unless all is there that it names. */
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
