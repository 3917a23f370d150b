import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { programPath } from "../../artifacts/programs";
import { runHere } from "../../command-line/run-here";
import type { Suite } from "./suites";

/** What is tested, and how. */
export interface Session {
    readonly suite: Suite;
    readonly kubeconfig: string;
    /** An existing folder for `e2e.log`, `junit_01.xml` and `report.json`. */
    readonly folder: string;
    /** Specs at the same time; `[Serial]` ones run on their own, afterwards. */
    readonly processes: number;
    /** Nodes that specs may use. */
    readonly nodes: number;
    readonly say: (line: string) => void;
}

/** How the specs ended. */
export interface Outcome {
    readonly passed: readonly string[];
    readonly failed: readonly Failed[];
    readonly seconds: number;
}

export interface Failed {
    readonly name: string;
    readonly message: string;
}

const REPORT = "report.json";
const PROGRESS_MS = 30_000;

/** Runs Kubernetes' end-to-end tests on a cluster. */
export async function runSpecs(session: Session): Promise<Outcome> {
    const { folder, say } = session;
    const log = createWriteStream(join(folder, "e2e.log"));
    const progress = new Progress();
    const start = Date.now();
    const timer = setInterval(() => say(`${progress.text}, ${minutes(Date.now() - start)}`), PROGRESS_MS);
    try {
        const print = (line: string) => {
            log.write(`${line}\n`);
            const failure = progress.read(line);
            if (failure) say(failure);
        };
        await runHere(programPath("ginkgo"), argumentsFor(session), { print });
    } finally {
        clearInterval(timer);
        await new Promise<void>((done) => log.end(done));
    }
    requireSpecs(session.suite, progress.specs);
    const report = await readFile(join(folder, REPORT), "utf8").catch(() => {
        throw new Error(`the tests did not end; see ${join(folder, "e2e.log")}`);
    });
    return outcomeOf(JSON.parse(report));
}

/** @throws if the suite's filter selected other tests than the suite says: a filter that selects none would always pass */
export function requireSpecs({ specs }: Suite, selected: number | undefined): void {
    if (specs === undefined || selected === undefined || specs === selected) return;
    throw new Error(`the suite must select ${specs} tests of this Kubernetes version, but it selected ${selected}`);
}

/** The command line of ginkgo, and after `--` that of the tests. */
export function argumentsFor({ suite, kubeconfig, folder, processes, nodes }: Session): string[] {
    return [
        ...[`--procs=${processes}`, "--keep-going", "--randomize-all", "--no-color", "-v", "--timeout=4h"],
        ...[`--focus=${suite.focus}`, ...(suite.skip ? [`--skip=${suite.skip}`] : [])],
        ...[`--output-dir=${folder}`, "--junit-report=junit_01.xml", `--json-report=${REPORT}`],
        programPath("e2e.test"),
        "--",
        ...["--provider=skeleton", `--kubeconfig=${kubeconfig}`, `--num-nodes=${nodes}`, "--dns-domain=cluster.local"],
        // Another one may be the first on the PATH.
        `--kubectl-path=${programPath("kubectl")}`,
        "--disable-log-dump",
    ];
}

/** Counts specs in ginkgo's verbose output, which prints each when it ends: a line with its mark, then its name. */
export class Progress {
    /** How many will run: unknown before the first one starts. */
    specs?: number;
    #ended = 0;
    #failed = 0;
    #isFailure = false;

    /** @returns a line for the user about a spec that failed */
    read(line: string): string | undefined {
        if (this.#isFailure) {
            this.#isFailure = false;
            return `failed: ${line}`;
        }
        const [, specs] = /^Will run (\d+) of \d+ specs/.exec(line) ?? [];
        if (specs) this.specs = Number(specs);
        if (!line.startsWith("•")) return undefined;
        this.#ended++;
        // The others ran as usual; a timeout and an interruption have marks of their own.
        this.#isFailure = line.includes("[") && !/^• \[[\d.]+ seconds\]/.test(line);
        if (this.#isFailure) this.#failed++;
        return undefined;
    }

    get text(): string {
        return `${this.#ended} of ${this.specs ?? "?"} specs ended, ${this.#failed} failed`;
    }
}

export function minutes(ms: number): string {
    const seconds = Math.round(ms / 1000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** One suite of ginkgo's JSON report, as far as it is read. */
interface GinkgoSuite {
    readonly RunTime: number;
    readonly SpecReports: readonly {
        readonly ContainerHierarchyTexts: readonly string[] | null;
        readonly LeafNodeText: string;
        readonly LeafNodeType: string;
        readonly State: string;
        readonly Failure?: { readonly Message: string };
    }[];
}

/** What a report says about the specs that ran. */
export function outcomeOf(suites: readonly GinkgoSuite[]): Outcome {
    // Skipped by a filter or by themselves; what runs before and after all specs only counts if it fails.
    const ran = suites
        .flatMap(({ SpecReports }) => SpecReports)
        .filter(({ State, LeafNodeType }) => !["skipped", "pending"].includes(State) || LeafNodeType !== "It")
        .map(({ ContainerHierarchyTexts, LeafNodeText, LeafNodeType, State, Failure }) => ({
            name: [...(ContainerHierarchyTexts ?? []), LeafNodeText || LeafNodeType].join(" "),
            isSpec: LeafNodeType === "It",
            isPassed: State === "passed",
            message: Failure?.Message ?? State,
        }));
    return {
        passed: ran.filter(({ isSpec, isPassed }) => isSpec && isPassed).map(({ name }) => name),
        failed: ran.filter(({ isPassed }) => !isPassed),
        seconds: suites.reduce((sum, { RunTime }) => sum + RunTime / 1e9, 0),
    };
}
