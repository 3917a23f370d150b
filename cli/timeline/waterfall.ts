import type { Run } from "../../local/record";

/** A run as rows of a waterfall: plain data, in seconds since its start. */
export interface Waterfall {
    /** Kind of run. */
    readonly name: string;
    /** When it started: RFC 3339. */
    readonly at: string;
    readonly seconds: number;
    /** Such as `34 created, 2 updated`. */
    readonly changes: string;
    readonly groups: readonly RowGroup[];
}

export interface RowGroup {
    readonly name: string;
    readonly rows: readonly Row[];
    /** Note about omitted rows. */
    readonly rest?: string;
}

export interface Row {
    readonly label: string;
    readonly start: number;
    readonly seconds: number;
    /** A stage of the run, an operation on a resource, a step of the bootstrap or of a node's change, or a node becoming ready. */
    readonly kind: "stage" | "work" | "step" | "span";
    readonly words: string;
}

/** Machine resources: local, AWS and DigitalOcean. */
const MACHINES = ["Command", "Instance", "Droplet"];
/** Maximum rows for the cluster's objects and the bootstrap's steps: the longest ones. */
const mostRows = 16;
/** Minimum seconds for a row. */
const least = 0.2;

/** Turns a run into rows: its stages, each node, then the objects in the cluster. */
export function waterfallOf(run: Run, cluster: string): Waterfall {
    const begin = Date.parse(run.stages[0]!.at);
    const end = Math.max(...run.stages.map(({ at, seconds }) => Date.parse(at) + 1000 * seconds));
    const seconds = (end - begin) / 1000;
    const since = (at: string) => (Date.parse(at) - begin) / 1000;
    const row = (kind: Row["kind"], label: string, at: string, took: number, words = `${took.toFixed(1)} s`): Row => {
        // Nodes' clocks have a resolution of a second, and late reports may seem to end after the run.
        const start = Math.min(Math.max(0, since(at)), seconds);
        return { kind, label, start, seconds: Math.min(took, seconds - start), words };
    };
    const nodes = nodeNames(run, cluster);
    const steps = Object.values(run.parts)
        .flat()
        .filter(({ stage }) => stage.startsWith("bootstrap: "));
    const first = `${cluster}-controller-0`;
    const isOf = (name: string, node: string) =>
        name === node || name.startsWith(`${node}-`) || name.endsWith(`-${node}`) || name.endsWith(`/${node}`);
    const ownerOf = (name: string) =>
        name === `${cluster}-bootstrap` ? first : nodes.find((node) => isOf(name, node));
    const groups = nodes.map((node) => {
        const made = run.operations
            .filter(({ name }) => ownerOf(name) === node)
            .map((each) => row("work", nameOnNode(each, node), each.at, each.seconds));
        const own = steps.map(({ stage, at, seconds: took }) =>
            row("step", stage.replace("bootstrap: ", ""), at, took),
        );
        const ready = run.nodes
            .filter(({ name, joined }) => name === node && since(joined) >= -1)
            .map(({ joined, ready: at }) => row("span", "from joining to Ready", joined, since(at) - since(joined)));
        const changed = (run.steps ?? [])
            .filter(({ name }) => name === node)
            .map(({ step, at, seconds: took }) => row("step", step, at, took));
        return groupOf(node, [...made, ...(node === first ? own : []), ...ready, ...changed]);
    });
    const others = run.operations
        .filter(({ name }) => ownerOf(name) === undefined)
        .map(({ name, kind, at, seconds: took }) => row("work", `${kind} ${lastPart(name)}`, at, took));
    return {
        name: steps.length > 0 ? "Boot" : "Last change",
        at: run.stages[0]!.at,
        seconds,
        changes: changesOf(run),
        groups: [
            {
                name: run.stages.length > 1 ? "npm start" : "pulumi",
                rows: run.stages.map(({ stage, at, seconds: took }) => row("stage", stage, at, took)),
            },
            ...groups,
            groupOf("cluster", others),
        ].filter(({ rows }) => rows.length > 0),
    };
}

/** Controllers first. */
function nodeNames({ nodes, operations, steps = [] }: Run, cluster: string): string[] {
    const isMachine = new RegExp(`^${cluster}-.+-\\d+$`);
    const made = operations.filter(({ name, kind }) => MACHINES.includes(kind) && isMachine.test(name));
    const names = [...new Set([...nodes, ...made, ...steps].map(({ name }) => name))];
    const isController = (name: string) => name.startsWith(`${cluster}-controller-`);
    const byNumber = new Intl.Collator("en", { numeric: true });
    return names.sort((a, b) => Number(isController(b)) - Number(isController(a)) || byNumber.compare(a, b));
}

/** What was done with or for a machine. */
function nameOnNode({ name, kind, verb }: Run["operations"][number], node: string): string {
    if (name === node) return `${MACHINES.includes(kind) ? "machine" : kind} ${verb}`;
    if (name.startsWith(`${node}-`)) return name.slice(node.length + 1);
    return kind === "Command" ? "bootstrap" : `${kind} ${lastPart(name).replace(`-${node}`, "")}`;
}

/** Kubernetes objects are named `<cluster>/<kind>/<namespace>/<name>`. */
function lastPart(name: string): string {
    return name.slice(name.lastIndexOf("/") + 1);
}

/** The longest rows, in order of start. */
function groupOf(name: string, all: readonly Row[]): RowGroup {
    const longest = all
        .filter(({ seconds, kind }) => kind === "span" || seconds >= least)
        .sort((a, b) => Number(b.kind === "span") - Number(a.kind === "span") || b.seconds - a.seconds)
        .slice(0, mostRows);
    const left = all.filter((row) => !longest.includes(row));
    const rows = longest.sort((a, b) => a.start - b.start || b.seconds - a.seconds || a.label.localeCompare(b.label));
    const most = Math.max(...left.map(({ seconds }) => seconds));
    return { name, rows, ...(left.length > 0 && { rest: `${left.length} more, the longest ${most.toFixed(1)} s` }) };
}

function changesOf({ operations }: Run): string {
    const counts = new Map<string, number>();
    for (const { verb } of operations) {
        counts.set(verb, (counts.get(verb) ?? 0) + 1);
    }
    return [...counts].map(([verb, count]) => `${count} ${verb}`).join(", ");
}
