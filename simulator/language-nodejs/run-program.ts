import { type ChildProcess, spawn } from "node:child_process";
import type { RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { RunResponse } from "@pulumi/pulumi/proto/language_pb";
import type { JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { locateModule } from "./locate-module";
import { parseOptions } from "./options";
import { sdkConfig } from "./sdk-config";

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
    // It starts where the engine is, as with the official host: `--require tsx/cjs` resolves from there.
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
