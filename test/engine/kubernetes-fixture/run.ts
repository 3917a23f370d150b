import assert from "node:assert/strict";
import type { OpMap, PulumiFn, Stack } from "@pulumi/pulumi/automation";

/** What a preview or an update would do or did, without what stays the same. */
export function changes(summary: OpMap | Record<string, number> | undefined): Record<string, number> {
    return Object.fromEntries(Object.entries(summary ?? {}).filter(([operation]) => operation !== "same"));
}

/** Previews a program and shows the diff. */
export async function preview(
    stack: Stack,
    program: PulumiFn,
): Promise<{ text: string; changes: Record<string, number> }> {
    stack.workspace.program = program;
    const { stdout, changeSummary } = await stack.preview({ diff: true });
    return { text: stdout, changes: changes(changeSummary) };
}

/** Runs a program; `onOutput` sees what it prints as it comes. */
export async function up(stack: Stack, program: PulumiFn, onOutput?: (text: string) => void) {
    stack.workspace.program = program;
    const { stdout, summary } = await stack.up({ onOutput });
    return { text: stdout, changes: changes(summary.resourceChanges) };
}

/** Runs a program that fails; answers all that it printed. */
export async function failingUp(stack: Stack, program: PulumiFn): Promise<string> {
    stack.workspace.program = program;
    let printed = "";
    const run = stack.up({
        onOutput: (text) => {
            printed += text;
        },
    });
    await assert.rejects(run, "up must fail");
    return printed;
}
