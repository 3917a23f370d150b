/** A completed operation or bootstrap step. */
export interface Timing {
    readonly stage: string;
    readonly seconds: number;
}

export interface TimedStage extends Timing {
    /** When it started: RFC 3339. */
    readonly at: string;
}

/** An operation on a resource. */
export interface Operation {
    readonly name: string;
    /** Such as `DaemonSet`. */
    readonly kind: string;
    /** Such as `updated`. */
    readonly verb: string;
    /** When it started: RFC 3339. */
    readonly at: string;
    readonly seconds: number;
}

const OPERATION =
    /^\s*(\S{1,2})\s+([\w-]+:[\w/.-]+:[\w.-]+)\s+(\S+)\s+(?:\*\*)?(\w+(?: \w+)?)(?:\*\*)?(?: \(([\d.]+)s\))?\s*(?:\[(diff:[^\]]*)\];?)?\s*(.*)$/;
/** Prefix of a component's messages: its type and name. */
const COMPONENT = /^tradewind:index:\w+ (\S+)\s+/;
/** Most of them begin with their cluster, because Pulumi shows some without the resource. */
const TWICE = /^(\S+: )\1/;
/** Output of commands for the stack only. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const STEP = /^bootstrap: (\S+) done in ([\d.]+)s/;

/**
 * Condenses Pulumi's piped output for the user: each completed operation, each message of a command, and the summary.
 * Pulumi's diagnostics repeat every line, so they are only kept for failures.
 */
export class UpOutput {
    readonly timings: TimedStage[] = [];
    /** Completed operations in order, without components, which last as long as their children. */
    readonly operations: Operation[] = [];
    /** The diagnostics, without lines shown before. */
    readonly diagnostics: string[] = [];
    private readonly counts = new Map<string, number>();
    /** Operations in progress. */
    readonly running = new Set<string>();
    /** When each started: milliseconds since 1970. */
    private readonly began = new Map<string, number>();
    private readonly said = new Set<string>();
    private section = "";
    private last = "";

    /** @param now - milliseconds since 1970 */
    constructor(private readonly now: () => number = Date.now) {}

    /** The text to show for a line of Pulumi, if any. */
    take(line: string): string | undefined {
        this.section = /^[A-Z][a-z]+(?=:)/.exec(line)?.[0] ?? this.section;
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

    /** Number of created, updated, replaced and deleted resources. */
    get changes(): number {
        return [...this.counts].reduce((sum, [what, count]) => (what === "unchanged" ? sum : sum + count), 0);
    }

    private operation(line: string): string | undefined {
        const match = OPERATION.exec(line);
        if (!match) {
            // Skips progress dots and headings; other lines that are not operations are shown.
            const isNothing = /^\s*$|^@ |^\w+ \(\w[\w-]*\):$|pulumi:pulumi:Stack/.test(line);
            return isNothing ? undefined : line.trim().replace(COMPONENT, "$1: ").replace(TWICE, "$1");
        }
        const [, sign, type = "", name = "", verb = "", seconds, diff, message = ""] = match;
        if (type === "pulumi:pulumi:Stack") {
            return undefined;
        }
        const key = `${sign} ${type} ${name}`;
        if (/ing( \w+)?$/.test(verb)) {
            this.running.add(name);
            this.began.set(key, this.began.get(key) ?? this.now());
            this.step(message);
            this.said.add(message);
            return message && !MOMENT.test(message) ? `  ${name}: ${message}` : undefined;
        }
        this.running.delete(name);
        const kind = type.split(":").at(-1)!;
        const at = this.begin(key, Number(seconds ?? 0));
        this.began.delete(key);
        if (seconds !== undefined && type === "command:local:Command") {
            this.timings.push({ stage: name, seconds: Number(seconds), at });
        }
        if (seconds !== undefined && !type.startsWith("tradewind:")) {
            const took = Math.max(0, this.now() - Date.parse(at)) / 1000;
            this.operations.push({ name, kind, verb, at, seconds: took });
        }
        // Both halves of a replacement have lines of their own.
        if (verb === "replaced") return undefined;
        return `${sign} ${kind} ${name} ${verb}${seconds ? ` (${seconds}s)` : ""}${diff ? ` [${diff}]` : ""}`;
    }

    /** When a completed operation started: as observed, otherwise derived from its duration. */
    private begin(key: string, seconds: number): string {
        return new Date(this.began.get(key) ?? this.now() - 1000 * seconds).toISOString();
    }

    private step(message: string): void {
        const step = stepOf(message);
        if (step && !this.timings.some(({ stage }) => stage === step.stage)) {
            this.timings.push({ ...step, at: this.begin(step.stage, step.seconds) });
        }
    }

    private summary(line: string): string | undefined {
        const [, count, what] = /^\s+(?:[+~-]{1,2}\s*|\d+ changes\. )?(\d+) (\w+)$/.exec(line) ?? [];
        if (count === undefined || what === undefined) {
            return undefined;
        }
        this.counts.set(what, Number(count));
        return line.trim();
    }
}

/** A bootstrap step, from its completion message. */
export function stepOf(line: string): Timing | undefined {
    const [, step, seconds] = STEP.exec(line) ?? [];
    return step === undefined ? undefined : { stage: `bootstrap: ${step}`, seconds: Number(seconds) };
}
