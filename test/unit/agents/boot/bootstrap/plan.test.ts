import assert from "node:assert/strict";
import { type BootstrapPlan, planSchema } from "../../../../../agents/boot/bootstrap/plan";
import { planProblems } from "../../../../../agents/harness/plan";
import { examplePlan } from "./assets";

describe("a bootstrap plan", () => {
    let plan: BootstrapPlan;

    before(async () => {
        plan = await examplePlan("/");
    });

    it("is accepted when it is complete", () => {
        assert.deepEqual(planProblems(plan, planSchema), []);
    });

    const bad: [what: string, change: (plan: BootstrapPlan) => object, problem: string][] = [
        ["no node name", () => ({ nodeName: undefined }), "nodeName must be a name (got undefined)"],
        [
            "an HTTP API",
            () => ({ apiServer: "http://x" }),
            'apiServer must be an https:// URL without a path (got "http://x")',
        ],
        [
            "a relative directory",
            ({ directories }) => ({ directories: { ...directories, state: "var" } }),
            'directories.state must be an absolute path (got "var")',
        ],
        [
            "no request file for a kubelet restart",
            () => ({ kubeletRestart: undefined }),
            "kubeletRestart must be an absolute path (got undefined)",
        ],
        [
            "a key outside the assets",
            ({ credentials }) => ({ credentials: { ...credentials, key: "../key" } }),
            'credentials.key must be a path below the assets (got "../key")',
        ],
        [
            "a generation on the shared address",
            ({ selfHosted }) => ({ selfHosted: [{ ...selfHosted[0], address: "127.0.0.1" }] }),
            'selfHosted[0].address must be a loopback address other than 127.0.0.1 (got "127.0.0.1")',
        ],
        [
            "a Deployment",
            ({ selfHosted }) => ({ selfHosted: [{ ...selfHosted[0], kind: "Deployment" }] }),
            'selfHosted[0].kind must be "DaemonSet" (got "Deployment")',
        ],
        [
            "a listener without a path",
            ({ selfHosted }) => ({ selfHosted: [{ ...selfHosted[0], listener: { port: 6445 } }] }),
            "selfHosted[0].listener.path must be a path that begins with / (got undefined)",
        ],
        [
            "nothing to wait for",
            () => ({ selfHosted: [] }),
            "selfHosted must be a list of at least one component (got [])",
        ],
        [
            "no temporary apiserver",
            () => ({ temporary: [] }),
            "temporary must be a list with one kube-apiserver (got [])",
        ],
        [
            "a temporary component without a port",
            ({ temporary }) => ({ temporary: [{ ...temporary[0], port: 0 }] }),
            "temporary[0].port must be a port (got 0)",
        ],
        [
            "tokens that never expire",
            () => ({ tokens: { expiresAfterHours: 0 } }),
            "tokens.expiresAfterHours must be a positive number (got 0)",
        ],
        [
            "a negative timeout",
            () => ({ timeouts: { "label-node": -1 } }),
            "timeouts.label-node must be a positive number of seconds (got -1)",
        ],
        ["a version that is not a string", () => ({ versions: { etcd: 3 } }), "versions.etcd must be text (got 3)"],
        [
            "a negative grace period",
            () => ({ resumeGraceSeconds: -1 }),
            "resumeGraceSeconds must be a number of seconds (got -1)",
        ],
    ];
    for (const [what, change, problem] of bad) {
        it(`is rejected with ${what}`, () => {
            assert.deepEqual(planProblems({ ...plan, ...change(plan) }, planSchema), [problem]);
        });
    }

    it("is rejected with a timeout of an unknown step, and lists the known ones", () => {
        assert.match(
            planProblems({ ...plan, timeouts: { dance: 1 } }, planSchema).join(),
            /^a key of timeouts must be one of verify-assets, .* \(got "dance"\)$/,
        );
    });

    it("reports all problems at once", () => {
        assert.ok(planProblems(null, planSchema).length > 10);
        assert.ok(planProblems({ temporary: [null], selfHosted: "x" }, planSchema).length > 10);
    });
});
