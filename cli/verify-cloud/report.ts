import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { redact } from "../../agents/harness/redact";
import type { CloudName } from "../../cluster/clouds";
import { UsageError } from "../../command-line/parse";
import type { StackConfig } from "../../local/stack-config";
import { answers } from "./questions";

export interface Step {
    readonly name: string;
    readonly what: string;
    readonly outcome: "passed" | "failed" | "interrupted";
    readonly seconds: number;
    readonly detail?: string;
    /** Of its output, if it did not pass. */
    readonly lastLines?: string;
}

/** Result of a run, without secrets. */
export interface Result {
    readonly cloud: CloudName;
    readonly passed: boolean;
    /** RFC 3339. */
    readonly began: string;
    readonly cost: string;
    readonly versions: Readonly<Record<string, string>>;
    readonly config: StackConfig;
    readonly steps: readonly Step[];
    /** Resources that could not be destroyed. */
    readonly left: readonly string[];
    /** @default everything was destroyed */
    readonly howToDestroy?: readonly string[];
}

/** @throws Error if a report could not be written there, before there is anything to report */
export function requireWritable(folder: string): void {
    const probe = join(folder, `.verify-${process.pid}`);
    try {
        mkdirSync(folder, { recursive: true });
        writeFileSync(probe, "");
        rmSync(probe);
    } catch (error) {
        throw new UsageError(
            `--report must be a folder that can be written (got ${folder}): ${(error as Error).message}`,
        );
    }
}

/** Writes the report as Markdown and JSON. @returns the paths */
export function writeReport(folder: string, result: Result): string[] {
    mkdirSync(folder, { recursive: true });
    const base = `verify-${result.cloud}-${result.began.slice(0, 19).replaceAll(":", "")}`;
    const texts = { md: markdown(result), json: `${JSON.stringify(result, undefined, 2)}\n` };
    return Object.entries(texts).map(([ending, text]) => {
        const path = join(folder, `${base}.${ending}`);
        writeFileSync(path, redact(text));
        return path;
    });
}

export function markdown(result: Result): string {
    const { cloud, passed, began, cost, versions, config, steps, left, howToDestroy } = result;
    const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", "<br>");
    const rows = steps.map(
        ({ name, what, outcome, seconds, detail = "" }) =>
            `| ${name} | ${cell(what)} | ${outcome} | ${seconds.toFixed(1)} s | ${cell(detail)} |`,
    );
    const failures = steps.flatMap(({ name, lastLines }) =>
        lastLines ? [`### Last lines of: ${name}`, "", "```", lastLines, "```", ""] : [],
    );
    const programs = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
    return [
        `# tradewind verify-cloud on ${cloud}: ${passed ? "passed" : "FAILED"}`,
        "",
        `${began}, ${programs.join(", ")}`,
        "",
        cost,
        "",
        "| Step | What | Result | Time | |",
        "| --- | --- | --- | --- | --- |",
        ...rows,
        "",
        "## Questions that only a real account can answer",
        "",
        "| Question | Answer |",
        "| --- | --- |",
        ...answers(result).map(([question, answer]) => `| ${question} | ${cell(answer)} |`),
        "",
        ...(left.length > 0 ? ["## Left behind", "", ...left.map((each) => `- ${each}`), ""] : []),
        ...(howToDestroy ? ["```", ...howToDestroy, "```", ""] : []),
        "## Configuration",
        "",
        "```json",
        JSON.stringify(config, undefined, 2),
        "```",
        "",
        ...failures,
    ].join("\n");
}
