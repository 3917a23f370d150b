import assert from "node:assert/strict";
import { type CisCheck, type CisTarget, cisGroups, cisVariables } from "../../../dev/reference/cis";
import { cisProblem } from "../cis-checks";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const worker = `${shared.name}-default-0`;

/** Machines that each target's checks run on, as kube-bench does. */
const machines: Readonly<Record<CisTarget, readonly string[]>> = {
    master: [controller],
    etcd: [controller],
    controlplane: [controller],
    node: [controller, worker],
    policies: [],
};

describe("CIS benchmark", function () {
    this.timeout(180_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    for (const [target, on] of Object.entries(machines) as [CisTarget, readonly string[]][]) {
        const checks = cisGroups(target).flatMap((group) => group.checks.filter(({ type }) => type === undefined));
        for (const machine of on) {
            it(`passes every check of ${target} on ${machine}`, async () => {
                assert(checks.length >= 1);
                const problems = await problemsOf(checks, machine, target);
                assert.deepEqual(problems, []);
            });
        }
    }

    it("finds what is not so", async () => {
        const checks = cisGroups("master").flatMap((group) => group.checks);
        const opposite = (id: string, value: string): CisCheck => {
            const check = checks.find((each) => each.id === id)!;
            const items = check.tests!.test_items.map((item) => ({ ...item, compare: { ...item.compare!, value } }));
            return { ...check, tests: { ...check.tests, test_items: items } };
        };
        const wrong = [opposite("1.1.7", "400"), opposite("1.2.7", "Webhook"), opposite("1.2.15", "true")];
        const problems = await problemsOf(wrong, controller, "master");
        assert.deepEqual(
            problems.map((problem) => problem.split(" ")[0]),
            ["1.1.7", "1.2.7", "1.2.15"],
        );
    });
});

/** Problems on a machine, each with the number of its check. */
async function problemsOf(checks: readonly CisCheck[], machine: string, target: CisTarget): Promise<string[]> {
    const variables = assignments(target);
    // `find` and `stat` fail where a file is missing: what they print is judged.
    const run = (script: string) => shared.exec(machine, `${variables}${script}\ntrue`);
    const problems: string[] = [];
    for (const check of checks) {
        const problem = await cisProblem(check, run);
        if (problem !== undefined) problems.push(`${check.id} ${check.text}: ${problem}`);
    }
    return problems;
}

/** A target's variables, as shell variables. */
function assignments(target: CisTarget): string {
    const lines = Object.entries(cisVariables(target)).map(
        ([name, paths]) => `for each in ${paths.join(" ")}; do if [ -e $each ]; then ${name}=$each; break; fi; done`,
    );
    return lines.length > 0 ? `${lines.join("\n")}\n` : "";
}
