import assert from "node:assert/strict";
import { ensureEngine, list } from "../../../machines";
import { describeLong } from "../../takes-long";
import { setVariables } from "../../variables";
import { eventually } from "../cluster";
import { SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";

const cluster = new SimulatedCluster("dofails", simulatedDigitalOcean);

describeLong("a failed first boot on a simulated DigitalOcean", function () {
    this.timeout(580_000);
    const controller = "dofails-controller-0";
    const set = (path: string, value: string) =>
        cluster.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
    /** The output of an `up` that fails after this many seconds. */
    const failsWithin = async (seconds: number): Promise<string> => {
        const reset = setVariables({ TRADEWIND_BOOTSTRAP_SECONDS: String(seconds) });
        try {
            return await cluster.up().then(
                () => assert.fail("up succeeded"),
                (error: Error) => error.message,
            );
        } finally {
            reset();
        }
    };

    before(async () => {
        await ensureEngine();
        await cluster.prepare(() => ({ region: "fra1", workerPools: [] }));
    });
    after(() => cluster.destroy());

    it("is reported by up with the node, its step, and the last lines of the units and of what failed", async () => {
        await set("components.kubeApiserver.v", "loud");
        const said = await failsWithin(150);
        console.log(said.slice(said.lastIndexOf("waited ")).split("\n").slice(0, 60).join("\n"));
        assert.match(said, new RegExp(`${controller}: step wait-for-api is not done: waiting for kube-apiserver`));
        assert.match(said, /--- bootstrap\.service: activating/);
        assert.match(said, /--- kubelet\.service: active running/);
        assert.match(said, /--- container kube-apiserver of checkpoint-kube-apiserver.*\n.*invalid argument "loud"/);
        assert.doesNotMatch(said, /PRIVATE KEY/);
    });

    it("is only reported to an administrator", async () => {
        const ask = `curl -ksS -m 3 https://$(hostname -I | cut -d ' ' -f 1):6443/standing || true`;
        const refused = async () => assert.match(await cluster.exec(controller, ask), /certificate of system:masters/);
        await eventually("a rejection", refused, 30);
    });

    it("resumes after a repair, in another up", async () => {
        await cluster.pulumi("config", "rm", "--path", "tradewind:components");
        assert.match((await cluster.up()).stdout, /bootstrap: pivoted at /);
        await cluster.ready();
        const gone = "! systemctl is-active bootstrap-report && ! ls /opt/tradewind/bootstrap-receiver/tls.key";
        await eventually("the end of the reporter", () => cluster.exec(controller, gone), 30);
        await cluster.up("--expect-no-changes");
    });

    it("is destroyed, leaving nothing in the account", async () => {
        await cluster.destroy();
        assert.deepEqual(cluster.account.left, []);
        assert.deepEqual(await list("dofails"), []);
    });
});
