import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { programPath } from "../../../../artifacts/programs";
import { sdkConfig } from "../../../../simulator/plugins/nodejs/run-program";
import { serveLanguage } from "../serve-language";

/** The Go language host: a program is built from its `go.mod`, with the SDK listed there. */
void serveLanguage(runGo, generateSdk);

async function runGo(request: RunRequest, engine: string, signal: AbortSignal): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-go-"));
    try {
        const info = request.getInfo()!;
        const cwd = info.getProgramDirectory();
        const program = join(folder, "program");
        execFileSync("go", ["build", "-o", program, "."], { cwd, stdio: ["ignore", "inherit", "inherit"] });
        const settings = {
            PULUMI_PROJECT: request.getProject(),
            PULUMI_STACK: request.getStack(),
            PULUMI_ORGANIZATION: request.getOrganization(),
            PULUMI_ROOT_DIRECTORY: info.getRootDirectory(),
            PULUMI_DRY_RUN: String(request.getDryrun()),
            PULUMI_PARALLEL: String(request.getParallel()),
            PULUMI_MONITOR: request.getMonitorAddress(),
            PULUMI_ENGINE: engine,
        };
        const env = { ...process.env, ...sdkConfig(request), ...settings };
        const child = spawn(program, [], { cwd, env, stdio: ["ignore", "inherit", "inherit"], signal });
        const [code] = await once(child, "exit");
        if (code !== 0) throw new Error(`Program ended with exit code ${code}`);
    } finally {
        rmSync(folder, { recursive: true });
    }
}

function generateSdk(schema: string, folder: string): void {
    execFileSync(programPath("pulumi-generate-sdk"), ["go", folder], { input: schema });
}
