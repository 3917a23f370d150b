import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { RunResponse } from "@pulumi/pulumi/proto/language_pb";
import type { JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { parseOptions } from "./options";

// The SDK's runner exits so when it has told the user all there is to tell.
const ERROR_ALREADY_SHOWN = 32;
const KILL_AFTER_MILLISECONDS = 3000;

/** Runs the user's program in a process of its own; its output goes straight to the engine. */
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
        if (killedBy) return response.setError(`Program was ended by ${killedBy}`);
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
        locateRunner(info.getProgramDirectory()),
        ...Object.entries(flags).flatMap(([flag, value]) => (value ? [`--${flag}`, value] : [])),
        ...(request.getDryrun() ? ["--dry-run"] : []),
        info.getEntryPoint(),
        ...request.getArgsList(),
    ];
    const env = {
        ...process.env,
        PULUMI_CONFIG: JSON.stringify(config(request)),
        PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
        ...(options.typescript && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
        ...(options.tsconfig && { PULUMI_NODEJS_TSCONFIG_PATH: options.tsconfig }),
    };
    // It starts where the engine is, as with the official host: `--require tsx/cjs` resolves from there.
    return spawn(process.execPath, args, { env, stdio: ["ignore", "inherit", "inherit"] });
}

function locateRunner(directory: string): string {
    try {
        return createRequire(join(directory, "program.js")).resolve("@pulumi/pulumi/cmd/run");
    } catch {
        throw new Error("It looks like the Pulumi SDK has not been installed. Have you run npm install?");
    }
}

// The SDK reads `<namespace>:config:<name>` in every version.
function config(request: RunRequest): Record<string, string> {
    return Object.fromEntries(
        request
            .getConfigMap()
            .toArray()
            .map(([key, value]) => [key.replace(":", ":config:"), value]),
    );
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
