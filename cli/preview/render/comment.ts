import { changeCount, fullDiff } from "../full-diff";
import type { ConfigChange } from "../machine-configs";
import type { Preview } from "../model";
import { type Fold, fitted, type Section } from "./fit";
import { block, code } from "./markdown";
import { summary } from "./summary";

/** A stack that was previewed, or could not be. */
export interface Previewed {
    readonly stack: string;
    /** @default - the engine told nothing */
    readonly preview?: Preview;
    /** What machines boot with. @default - not known */
    readonly configs?: readonly ConfigChange[];
    /** Why it failed; what the diagnostics say of it is there. @default - it did not */
    readonly failure?: string;
}

export interface CommentOptions {
    /** By which a later run finds the comment: the project's name. */
    readonly project: string;
    /** Most characters. */
    readonly limit: number;
    /** Where what is cut can be read, as a sentence's end. */
    readonly rest: string;
}

const nothing = "No stack is touched by this change.";

/** Whether a text is such a comment, by its first line. */
export function isComment(text: string): boolean {
    return /^<!-- tradewind preview: [\w.-]* -->(\n|$)/.test(text);
}

/** Whether a comment is of no stack. */
export function isOfNothing(text: string): boolean {
    return text.split("\n").includes(nothing);
}

/** One comment for all stacks, as Markdown. Its first line is the mark by which it is found. */
export function comment(previewed: readonly Previewed[], { project, limit, rest }: CommentOptions): string {
    const first = [`<!-- tradewind preview: ${project.replaceAll(/[^\w.-]/g, "-")} -->`];
    const none = previewed.length === 0 ? [nothing] : [];
    return fitted([...first, ...none], previewed.map(section), limit, rest);
}

function section({ stack, preview, configs = [], failure }: Previewed): Section {
    const isFailed = failure !== undefined;
    const heading = `## ${isFailed ? "✗ " : ""}${code(stack)}${isFailed ? ": the preview failed" : ""}`;
    const reason = failure ? ["", ...block(failure.split("\n"), "text")] : [];
    return {
        stack,
        head: [heading, ...reason, ...(preview ? summary(preview) : [])],
        folds: [...configFolds(configs), ...(preview ? [diffFold(preview)] : [])],
    };
}

function configFolds(configs: readonly ConfigChange[]): Fold[] {
    const lines = configs.flatMap(({ resources, changes }) => [
        `@@ ${resources.join(", ")} @@`,
        ...changes.flatMap(({ name, kind, lines: own }) => [
            ` ${name} ${kind}${own ? ":" : ", and is not shown: a secret is in it, or root alone may read it"}`,
            ...(own ?? []).map((line) => `${line[0]}   ${line.slice(1)}`),
        ]),
    ]);
    return [{ title: "What machines boot with: files and units", language: "diff", lines }];
}

function diffFold(preview: Preview): Fold {
    const count = changeCount(preview);
    return {
        title: `All changes, of ${count} ${count === 1 ? "resource" : "resources"}`,
        language: "diff",
        lines: fullDiff(preview),
    };
}
