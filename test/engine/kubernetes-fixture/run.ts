import assert from "node:assert/strict";
import type { EngineEvent, OpMap, PulumiFn, Stack } from "@pulumi/pulumi/automation";

/** Previews a program and shows the diff. */
export async function preview(
    stack: Stack,
    program: PulumiFn,
): Promise<{ text: string; changes: Record<string, number> }> {
    stack.workspace.program = program;
    const { stdout, changeSummary } = await stack.preview({ diff: true });
    return { text: stdout, changes: changes(changeSummary) };
}

/** Runs a program; `onOutput` receives its output as it arrives. */
export async function up(stack: Stack, program: PulumiFn, onOutput?: (text: string) => void) {
    stack.workspace.program = program;
    const [{ stdout }, summary] = await summarized((onEvent) => stack.up({ onOutput, onEvent }));
    return { text: stdout, changes: summary };
}

/** Refreshes the state; returns what had changed outside Pulumi. */
export async function refresh(stack: Stack): Promise<Record<string, number>> {
    const [, summary] = await summarized((onEvent) => stack.refresh({ onEvent }));
    return summary;
}

async function summarized<R>(
    run: (onEvent: (event: EngineEvent) => void) => Promise<R>,
): Promise<[R, Record<string, number>]> {
    let summary: OpMap | undefined;
    const result = await run(({ summaryEvent }) => {
        summary = summaryEvent?.resourceChanges ?? summary;
    });
    assert.ok(summary, "the engine must end with a summary");
    return [result, changes(summary)];
}

/** Runs a program that fails; returns its whole output. */
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

// Without unchanged resources.
function changes(summary: OpMap): Record<string, number> {
    return Object.fromEntries(Object.entries(summary).filter(([operation]) => operation !== "same"));
}
