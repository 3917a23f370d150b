import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import type { Verdict } from "../../../cli/status/judge";
import { powerCut } from "../../../machines";
import { eventually, root } from "../cluster";
import { shared, sharedCluster } from "../shared";

const program = resolve(root, "dev/tradewind.cjs");
const controller = `${shared.name}-controller-0`;

/**
 * Applies to everything, fails closed, and has no backend: in a cluster that has lost all pods, every webhook's backend
 * is missing.
 */
const webhook = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "everything" },
    webhooks: [
        {
            name: "everything.example.com",
            rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] }],
            clientConfig: { service: { namespace: "nowhere", name: "nothing" } },
            failurePolicy: "Fail",
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
        },
    ],
};
const remove = ["delete", "validatingwebhookconfiguration", "everything"];
const named =
    /the webhook everything\.example\.com \(ValidatingWebhookConfiguration everything\) fails, .*kubectl delete validatingwebhookconfiguration everything/is;

/** It exits with 1 if it has findings. */
function status(): Promise<Verdict> {
    return new Promise((done, reject) => {
        execFile(program, ["status", "--name", shared.name, "-o", "json"], (error, stdout) => {
            if (stdout === "") reject(error);
            else done(JSON.parse(stdout));
        });
    });
}

describe("a fail-closed webhook for everything, without a backend", function () {
    this.timeout(300_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
        await shared.create(webhook);
    });
    after(async () => {
        await eventually("the webhook to be removed", () => shared.kubectl(...remove, "--ignore-not-found"));
        await eventually("a healthy cluster", async () => assert.ok((await status()).isHealthy), 180);
    });

    it("is what status lists first, with the command that removes it", async () => {
        const [first] = await eventually("the finding", async () => {
            const { findings } = await status();
            assert.equal(findings[0]?.code, "admission-blocked", JSON.stringify(findings));
            return findings;
        });
        assert.match(`${first!.message} ${first!.advice}`, named);
    });

    it("makes a preview fail before anything else, with the same message", async () => {
        const error: Error = await shared.pulumi("preview").then(
            () => assert.fail("the preview succeeded"),
            (reason) => reason,
        );
        assert.match(error.message, named);
        assert.match(error.message, /upgradeOverrides: \[admission\]/);
    });

    it("does not keep the API from returning after a power cut of the only controller", async () => {
        const start = performance.now();
        await powerCut(shared.name, controller);
        await eventually("the API", () => shared.kubectl("get", "--raw", "/readyz", "--request-timeout=2s"), 120);
        console.log(`      the API is back after ${((performance.now() - start) / 1000).toFixed(0)} s`);
        await eventually("the finding", async () => {
            const { findings } = await status();
            const blocked = findings.filter(({ code }) => code === "admission-blocked");
            assert.equal(blocked.length, 1, JSON.stringify(findings));
        });
    });

    it("no longer blocks the cluster once that command has run", async () => {
        await eventually("the API to accept the command", () => shared.kubectl(...remove, "--ignore-not-found"));
        await eventually(
            "a healthy cluster",
            async () => {
                const { isHealthy, findings } = await status();
                assert.ok(isHealthy, JSON.stringify(findings));
            },
            180,
        );
        await shared.pulumi("preview", "--expect-no-changes");
    });
});
