import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ensure } from "../../artifacts";
import { conformance } from "../../artifacts/conformance-items";
import { command } from "../../command-line/command";
import { choice, flag, value, wholeNumber } from "../../command-line/parse";
import { runHere } from "../../command-line/run-here";
import { CLUSTER_NAME } from "../../local/options";
import { clusterState, hasState } from "../../local/state";
import { runSpecs } from "./ginkgo";
import { type Release, renderOutcome, writeSubmission } from "./submission";
import { SUITES, suites } from "./suites";

const ROOT = resolve(__dirname, "../..");

const text = {
    name: "npm run conformance --",
    about: "Runs Kubernetes' end-to-end tests, all conformance specs by default, on a local cluster that it creates and removes, and writes a folder with the results: e2e.log, junit_01.xml and what a submission to the CNCF needs.",
    notes: `Suites:\n${SUITES.map((name) => `  ${name.padEnd(13)}${suites[name].about}`).join("\n")}`,
};

/** `npm run conformance`. */
export const program = command(
    {
        ...text,
        options: {
            suite: choice("NAME", "what to run", SUITES, { default: "conformance" }),
            focus: value("RE", "instead of a suite: tests whose full name matches this regular expression", undefined, {
                excludes: ["suite"],
            }),
            name: value("NAME", "the local cluster; if it exists, it is used and kept", CLUSTER_NAME, {
                default: "conformance",
            }),
            kubeconfig: value("FILE", "another running cluster, which is kept", undefined, { excludes: ["name"] }),
            results: value("FOLDER", "where the results go", undefined, { otherwise: "conformance-results/SUITE" }),
            processes: value("N", "specs at the same time", wholeNumber(1, 25), { default: 6 }),
            keep: flag("keep the cluster that it created"),
        },
    },
    async ({ suite, focus, name, kubeconfig, results, processes, keep }) => {
        const folder = resolve(results ?? join("conformance-results", focus === undefined ? suite : "focus"));
        mkdirSync(folder, { recursive: true });
        await ensure({ only: [conformance], say: console.log });
        const isOurs = kubeconfig === undefined && !hasState(name);
        if (isOurs && (await start("--name", name, "--workers", "2", "--yes")) !== 0) return 1;
        try {
            const outcome = await runSpecs({
                suite: focus === undefined ? suites[suite] : { about: "chosen by the user", focus },
                kubeconfig: kubeconfig ?? clusterState(name).kubeconfig,
                folder,
                processes,
                nodes: 2,
                say: console.log,
            });
            const release: Release = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
            if (suite === "conformance" && focus === undefined)
                await writeSubmission(folder, release, "npm run conformance");
            console.log(`the results are in ${folder}\n${renderOutcome(outcome)}`);
            return outcome.failed.length === 0 && outcome.passed.length > 0 ? 0 : 1;
        } finally {
            if (isOurs && !keep) await start("--name", name, "--destroy", "--yes");
        }
    },
);

export const main = program.run;

function start(...args: string[]): Promise<number> {
    return runHere("node", [join(ROOT, "dev", "run.cjs"), "start", ...args]);
}
