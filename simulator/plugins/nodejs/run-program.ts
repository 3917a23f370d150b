import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ServerWritableStream } from "@grpc/grpc-js";
import {
    type RunPluginRequest,
    RunPluginResponse,
    type RunRequest,
    RunResponse,
} from "@pulumi/pulumi/proto/language_pb";
import type { JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";

// The SDK's runner uses this exit code when it has already reported the error.
const ERROR_ALREADY_SHOWN = 32;
const KILL_AFTER_MILLISECONDS = 3000;

/** Runs the user's program in its own process; its output goes straight to the engine. */
export async function runProgram(
    request: RunRequest,
    engineAddress: string,
    signal: AbortSignal,
): Promise<RunResponse> {
    const response = new RunResponse();
    try {
        if (request.getAttachDebugger()) throw new Error("this Node language host cannot attach a debugger");
        const { code, signal: killedBy } = await ended(start(request, engineAddress), signal);
        if (code === ERROR_ALREADY_SHOWN) return response.setBail(true);
        if (killedBy) return response.setError(`Program was killed by ${killedBy}`);
        return code ? response.setError(`Program exited with non-zero exit code: ${code}`) : response;
    } catch (error) {
        return response.setError((error as Error).message);
    }
}

function start(request: RunRequest, engineAddress: string): ChildProcess {
    const info = request.getInfo()!;
    const options = parseOptions(info.getOptions()?.toJavaScript() ?? ({} as Record<string, JavaScriptValue>));
    const flags = {
        monitor: request.getMonitorAddress(),
        engine: engineAddress,
        organization: request.getOrganization(),
        project: request.getProject(),
        "root-directory": info.getRootDirectory(),
        stack: request.getStack(),
        pwd: info.getProgramDirectory(),
        parallel: String(request.getParallel()),
    };
    const args = [
        ...options.nodeargs,
        locateModule("@pulumi/pulumi/cmd/run", info.getProgramDirectory()),
        ...Object.entries(flags).flatMap(([flag, value]) => (value ? [`--${flag}`, value] : [])),
        ...(request.getDryrun() ? ["--dry-run"] : []),
        info.getEntryPoint(),
        ...request.getArgsList(),
    ];
    const env = {
        ...process.env,
        ...sdkConfig(request),
        ...(options.typescript && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
        ...(options.tsconfig && { PULUMI_NODEJS_TSCONFIG_PATH: options.tsconfig }),
    };
    // It starts in the engine's directory, as with the official host: `--require tsx/cjs` resolves from there.
    return spawn(process.execPath, args, { env, stdio: ["ignore", "inherit", "inherit"] });
}

function ended(child: ChildProcess, signal: AbortSignal): Promise<{ code: number | null; signal: string | null }> {
    return new Promise((resolve, reject) => {
        const stop = () => {
            child.kill("SIGINT");
            setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MILLISECONDS).unref();
        };
        signal.addEventListener("abort", stop, { once: true });
        child.once("error", reject);
        child.once("exit", (code, killedBy) => {
            signal.removeEventListener("abort", stop);
            resolve({ code, signal: killedBy });
        });
        if (signal.aborted) stop();
    });
}

/** `runtime.options` of Pulumi.yaml, as the official host reads them. */
interface RuntimeOptions {
    /** Compile with the ts-node that the SDK includes. @default true */
    readonly typescript: boolean;
    readonly tsconfig?: string;
    /** Arguments for node, before the program. */
    readonly nodeargs: readonly string[];
}

export function parseOptions(options: Record<string, unknown>): RuntimeOptions {
    const { typescript = true, tsconfig, nodeargs = "" } = options;
    if (typeof typescript !== "boolean") throw new Error(`typescript must be true or false (got ${typescript})`);
    if (tsconfig !== undefined && typeof tsconfig !== "string")
        throw new Error(`tsconfig must be a path (got ${tsconfig})`);
    if (typeof nodeargs !== "string") throw new Error(`nodeargs must be a string (got ${nodeargs})`);
    return { typescript, tsconfig, nodeargs: splitWords(nodeargs) };
}

/** Splits like a shell, with quotes and backslashes but without any expansion. */
export function splitWords(text: string): string[] {
    const quoted = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs;
    const word = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/gs;
    if (/\S/.test(text.replace(word, ""))) throw new Error(`nodeargs must have closed quotes (got ${text})`);
    return (text.match(word) ?? []).map((part) =>
        part.replace(quoted, (_, double?: string, single?: string, escaped?: string) => {
            return double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? "";
        }),
    );
}

/** Runs a plugin written in TypeScript with the SDK's own runner, until the engine stops it. */
export function runPlugin(call: ServerWritableStream<RunPluginRequest, RunPluginResponse>): void {
    try {
        startPlugin(call);
    } catch (error) {
        call.destroy(error as Error);
    }
}

function startPlugin(call: ServerWritableStream<RunPluginRequest, RunPluginResponse>): void {
    const { request } = call;
    const info = request.getInfo()!;
    const folder = info.getProgramDirectory();
    const { typescript, tsconfig, nodeargs } = parseOptions(info.getOptions()?.toJavaScript() ?? {});
    const env = {
        ...Object.fromEntries(request.getEnvList().map(keyAndValue)),
        ...(typescript && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
        ...(tsconfig && { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig }),
    };
    // As with the official host, `nodeargs` follow the runner, where node ignores them.
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

/** A stack's configuration in the form that SDKs read. */
export function sdkConfig(request: RunRequest): Record<string, string> {
    // They read `<namespace>:config:<name>` in every version.
    const config = request
        .getConfigMap()
        .toArray()
        .map(([key, value]) => [key.replace(":", ":config:"), value]);
    return {
        PULUMI_CONFIG: JSON.stringify(Object.fromEntries(config)),
        PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
    };
}

/** The file of an SDK module that is installed for a program or plugin. */
function locateModule(module: string, directory: string): string {
    try {
        return createRequire(join(directory, "program.js")).resolve(module);
    } catch {
        throw new Error("It looks like the Pulumi SDK has not been installed. Have you run npm install?");
    }
}
