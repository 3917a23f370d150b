import { spawn } from "node:child_process";
import type { ServerWritableStream } from "@grpc/grpc-js";
import type { RunPluginRequest } from "@pulumi/pulumi/proto/language_pb";
import { RunPluginResponse } from "@pulumi/pulumi/proto/language_pb";
import { locateModule } from "./locate-module";
import { parseOptions } from "./options";

/** Runs a plugin that is written in TypeScript, by the SDK's own runner, until the engine has had enough of it. */
export function runPlugin(call: ServerWritableStream<RunPluginRequest, RunPluginResponse>): void {
    try {
        start(call);
    } catch (error) {
        call.destroy(error as Error);
    }
}

function start(call: ServerWritableStream<RunPluginRequest, RunPluginResponse>): void {
    const { request } = call;
    const info = request.getInfo()!;
    const folder = info.getProgramDirectory();
    const { typescript, tsconfig, nodeargs } = parseOptions(info.getOptions()?.toJavaScript() ?? {});
    const env = {
        ...Object.fromEntries(request.getEnvList().map(keyAndValue)),
        ...(typescript && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
        ...(tsconfig && { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig }),
    };
    // As with the official host, `nodeargs` come after the runner, where they are none of node's.
    const args = [locateModule("@pulumi/pulumi/cmd/run-plugin", folder), ...nodeargs, folder, ...request.getArgsList()];
    const child = spawn(process.execPath, args, { cwd: request.getPwd(), env, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.on("data", (data: Buffer) => call.write(new RunPluginResponse().setStdout(data)));
    child.stderr.on("data", (data: Buffer) => call.write(new RunPluginResponse().setStderr(data)));
    child.once("error", (error) => call.destroy(error));
    child.once("close", (code) => {
        if (code) call.write(new RunPluginResponse().setExitcode(code));
        call.end();
    });
    call.once("cancelled", () => child.kill());
}

function keyAndValue(pair: string): [string, string] {
    const end = pair.indexOf("=");
    return [pair.slice(0, end), pair.slice(end + 1)];
}
