import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { programPath } from "../../../../artifacts/programs";
import { sdkConfig } from "../../../../simulator/plugins/nodejs/run-program";
import { serveLanguage } from "../serve-language";

const RUNNER = `
import asyncio, json, os, runpy
from pulumi import runtime
runtime.set_all_config(runtime.get_config_env(), runtime.get_config_secret_keys_env())
runtime.configure(runtime.Settings(**json.loads(os.environ["TRADEWIND_PROGRAM"])))
asyncio.run(runtime.run_in_stack(lambda: runpy.run_path(".", run_name="__main__")))
`;

/** The Python language host: a program runs in the virtual environment given in Pulumi.yaml, with its SDK. */
void serveLanguage(runPython, generateSdk);

async function runPython(request: RunRequest, engine: string, signal: AbortSignal): Promise<void> {
    const info = request.getInfo()!;
    const { virtualenv = "venv" } = info.getOptions()?.toJavaScript() ?? {};
    const settings = {
        monitor: request.getMonitorAddress(),
        engine,
        organization: request.getOrganization(),
        project: request.getProject(),
        root_directory: info.getRootDirectory(),
        stack: request.getStack(),
        parallel: request.getParallel(),
        dry_run: request.getDryrun(),
    };
    const cwd = info.getProgramDirectory();
    const child = spawn(join(cwd, String(virtualenv), "bin/python"), ["-c", RUNNER], {
        cwd,
        env: { ...process.env, ...sdkConfig(request), TRADEWIND_PROGRAM: JSON.stringify(settings) },
        stdio: ["ignore", "inherit", "inherit"],
        signal,
    });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`Program ended with exit code ${code}`);
}

function generateSdk(schema: string, folder: string): void {
    execFileSync(programPath("pulumi-generate-sdk"), ["python", folder], { input: schema });
}
