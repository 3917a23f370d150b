import assert from "node:assert/strict";
import { join } from "node:path";
import { ensure } from "../../../artifacts";
import { programPath } from "../../../artifacts/programs";
import { type CisTarget, cisGroups, cisTargets } from "../../../dev/reference/cis";
import { PROJECT_DIR } from "../../../local/pulumi";
import { containerName, docker } from "../../../machines";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const worker = `${shared.name}-default-0`;

/** Where kube-bench and its configuration are on a machine. */
const folder = "/var/tmp/kube-bench";

/** A check's result, in what kube-bench prints as JSON. */
interface Result {
    readonly test_number: string;
    readonly status: "PASS" | "FAIL" | "WARN" | "INFO";
    readonly actual_value: string;
    readonly reason?: string;
}

/** Runs kube-bench by the words of its README; results by the number of their check. */
async function runBench(machine: string, run: string, config = `${folder}/cfg`): Promise<Map<string, Result>> {
    const options = `--config-dir ${config} --config ${config}/config.yaml --benchmark tradewind-1.12`;
    const text = await shared.exec(machine, `${folder}/kube-bench ${run} ${options} --json`);
    const { Controls: controls } = JSON.parse(text) as { Controls: { tests: { results: Result[] }[] }[] };
    const results = controls.flatMap(({ tests }) => tests.flatMap((group) => group.results));
    return new Map(results.map((result) => [result.test_number, result]));
}

describe("CIS benchmark, by kube-bench", function () {
    this.timeout(180_000);

    before(async function () {
        this.timeout(600_000);
        await ensure({ only: ["kube-bench"], say: console.log });
        await sharedCluster();
        for (const machine of [controller, worker]) {
            const at = `${containerName(shared.name, machine)}:${folder}`;
            await shared.exec(machine, `mkdir -p ${folder}`);
            await docker(["cp", programPath("kube-bench"), `${at}/kube-bench`]);
            await docker(["cp", join(PROJECT_DIR, "examples/kube-bench/cfg"), `${at}/cfg`]);
        }
    });
    after(async () => {
        for (const machine of [controller, worker]) await shared.exec(machine, `rm -rf ${folder}`);
    });

    const cases: readonly (readonly [machine: string, run: string, targets: readonly CisTarget[]])[] = [
        [controller, "run", cisTargets],
        [worker, "run --targets node", ["node"]],
    ];
    for (const [machine, run, targets] of cases) {
        it(`\`${run}\` passes every check that is not for people on ${machine}`, async () => {
            const results = await runBench(machine, run);
            const checks = targets.flatMap((target) => cisGroups(target).flatMap((group) => group.checks));
            // YAML reads 2.1 as a number.
            assert.deepEqual([...results.keys()].sort(), checks.map(({ id }) => String(id)).sort());
            const automatic = checks.filter(({ type }) => type === undefined).map(({ id }) => results.get(String(id))!);
            assert.ok(automatic.length > 0);
            assert.deepEqual(
                automatic.filter(({ status }) => status !== "PASS"),
                [],
            );
            assert.deepEqual(
                [...results.values()].filter(({ status }) => status === "FAIL"),
                [],
            );
        });
    }

    it("finds what is not so", async () => {
        const master = `${folder}/wrong/tradewind-1.12/master.yaml`;
        const opposite = (id: string, value: string) =>
            `sed -i '/id: ${id}$/,/value:/s/value:.*/value: "${value}"/' ${master}`;
        await shared.exec(
            controller,
            [
                `rm -rf ${folder}/wrong && cp -r ${folder}/cfg ${folder}/wrong`,
                ...[opposite("1.1.7", "400"), opposite("1.2.7", "Webhook"), opposite("1.2.15", "true")],
            ].join(" && "),
        );
        const results = await runBench(controller, "run --targets master", `${folder}/wrong`);
        const failed = [...results.values()].filter(({ status }) => status === "FAIL");
        assert.deepEqual(
            failed.map(({ test_number }) => test_number),
            ["1.1.7", "1.2.7", "1.2.15"],
        );
    });
});
