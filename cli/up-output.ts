/** A finished operation or a finished step of the bootstrap. */
export interface Timing {
    readonly stage: string;
    readonly seconds: number;
}

const OPERATION =
    /^\s*(\S{1,2})\s+([\w-]+:[\w/.-]+:[\w.-]+)\s+(\S+)\s+(?:\*\*)?(\w+(?: \w+)?)(?:\*\*)?(?: \(([\d.]+)s\))?\s*(?:\[(diff:[^\]]*)\];?)?\s*(.*)$/;
const STEP = /^bootstrap: (\S+) done in ([\d.]+)s/;

/**
 * Makes of what Pulumi prints on a pipe what a person wants to follow: each finished operation, each line that a
 * command says, the summary. Pulumi's diagnostics repeat every line, so they are kept for a failure.
 */
export class UpOutput {
    readonly timings: Timing[] = [];
    /** The diagnostics, without what was shown before. */
    readonly diagnostics: string[] = [];
    private readonly counts = new Map<string, number>();
    /** What has begun and not ended. */
    readonly running = new Set<string>();
    private readonly said = new Set<string>();
    private section = "";
    private last = "";

    /** What to show for a line of Pulumi's, if anything. */
    take(line: string): string | undefined {
        if (/^[A-Z][a-z]+:/.test(line)) {
            this.section = line.split(":")[0];
        }
        if (this.section === "Resources") {
            return this.summary(line);
        }
        if (this.section === "Diagnostics") {
            if (!this.said.has(line.trim())) {
                this.diagnostics.push(line);
            }
            return undefined;
        }
        const shown = ["Outputs", "Duration"].includes(this.section) ? undefined : this.operation(line);
        const isRepeated = shown === this.last;
        this.last = shown ?? this.last;
        return isRepeated ? undefined : shown;
    }

    /** How many resources were created, updated, replaced or deleted. */
    get changes(): number {
        return [...this.counts].reduce((sum, [what, count]) => (what === "unchanged" ? sum : sum + count), 0);
    }

    private operation(line: string): string | undefined {
        const match = OPERATION.exec(line);
        if (!match) {
            // Progress dots and headings say nothing; what else does not look like an operation is worth a look.
            return /^\s*$|^@ |^\w+ \(\w[\w-]*\):$|pulumi:pulumi:Stack/.test(line) ? undefined : line.trim();
        }
        const [, sign, type, name, verb, seconds, diff, message] = match;
        if (type === "pulumi:pulumi:Stack") {
            return undefined;
        }
        if (/ing( \w+)?$/.test(verb)) {
            this.running.add(name);
            this.step(message);
            this.said.add(message);
            return message ? `  ${name}: ${message}` : undefined;
        }
        this.running.delete(name);
        if (seconds !== undefined && type === "command:local:Command") {
            this.timings.push({ stage: name, seconds: Number(seconds) });
        }
        const kind = type.split(":").at(-1);
        return `${sign} ${kind} ${name} ${verb}${seconds ? ` (${seconds}s)` : ""}${diff ? ` [${diff}]` : ""}`;
    }

    private step(message: string): void {
        const [, stage, seconds] = STEP.exec(message) ?? [];
        if (stage && !this.timings.some((timing) => timing.stage === `bootstrap: ${stage}`)) {
            this.timings.push({ stage: `bootstrap: ${stage}`, seconds: Number(seconds) });
        }
    }

    private summary(line: string): string | undefined {
        const [, count, what] = /^\s+(?:[+~-]{1,2}\s*|\d+ changes\. )?(\d+) (\w+)$/.exec(line) ?? [];
        if (count) {
            this.counts.set(what, Number(count));
        }
        return count ? line.trim() : undefined;
    }
}
