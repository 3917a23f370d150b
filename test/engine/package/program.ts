import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { root } from "../../../dev/release/empty-project";
import { openAccount } from "../paper/clouds";
import { Workspace } from "../workspace";

/** Runs a callback on a user's program, which uses a simulated AWS. */
export async function withProgram<T>(
    text: string,
    env: NodeJS.ProcessEnv,
    body: (workspace: Workspace) => Promise<T>,
): Promise<T> {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-package-account-"));
    const account = join(folder, "account.json");
    openAccount.aws(account);
    const workspace = await Workspace.create(text, {
        PATH: [join(root, "simulator/clouds/bin"), process.env.PATH].join(delimiter),
        PULUMI_IGNORE_AMBIENT_PLUGINS: "false",
        TRADEWIND_SIMULATED_ACCOUNT: account,
        ...{ AWS_REGION: "", AWS_ACCESS_KEY_ID: "" },
        ...env,
    });
    try {
        return await body(workspace);
    } finally {
        workspace.remove();
        rmSync(folder, { recursive: true });
    }
}

/** Output of its preview. */
export async function previewOf(workspace: Workspace): Promise<string> {
    await workspace.pulumi("config", "set", "aws:region", "eu-central-1");
    const { exitCode, output } = await workspace.preview();
    assert.equal(exitCode, 0, output);
    return output;
}
