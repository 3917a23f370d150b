import assert from "node:assert/strict";
import { consoleLog, ensureEngine, list } from "../../../machines";
import { describeLong } from "../../takes-long";
import { setVariables } from "../../variables";
import { eventually } from "../cluster";
import { SimulatedCluster } from "../simulated-cluster";
import { simulatedDigitalOcean } from "../simulated-digitalocean";

const cluster = new SimulatedCluster("dofails", simulatedDigitalOcean);

/** Takes the kubelet's port, leaves no space for CNI plugins, and has a file of another cluster. */
const unfit = JSON.stringify({
    ignition: { version: "3.5.0" },
    storage: { files: [{ path: "/etc/kubernetes/admin.conf", contents: { source: "data:,kubeadm" } }] },
    systemd: {
        units: [
            {
                name: "squatter.socket",
                enabled: true,
                contents: "[Socket]\nListenStream=10250\n\n[Install]\nWantedBy=sockets.target\n",
            },
            { name: "squatter.service", contents: "[Service]\nExecStart=/bin/true\n" },
            {
                name: "opt-cni.mount",
                enabled: true,
                contents:
                    "[Mount]\nWhat=tmpfs\nWhere=/opt/cni\nType=tmpfs\nOptions=size=20m\n\n[Install]\nWantedBy=local-fs.target\n",
            },
        ],
    },
});

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
        await cluster.prepare(() => ({ region: "fra1", workerPools: [], controllers: { snippets: [unfit] } }));
    });
    after(() => cluster.destroy());

    it("is refused by the preflight within a minute, with all problems, before anything starts", async () => {
        const start = performance.now();
        const said = await failsWithin(300);
        console.log(said.slice(said.lastIndexOf("the preflight of ")).split("\n").slice(0, 8).join("\n"));
        assert.match(said, new RegExp(`the preflight of ${controller} found 3 errors:\n`));
        assert.match(said, /DiskSpace-opt-cni-bin: 100 MiB or more must be free on \/opt\/cni \(got \d+\)\n/);
        assert.match(said, /FileAvailable-etc-kubernetes-admin\.conf: \/etc\/kubernetes\/admin\.conf must not exist/);
        assert.match(said, /Port-10250: port 10250\/tcp must be free for kubelet \(got systemd, process 1\)\n/);
        const seconds = (performance.now() - start) / 1000;
        console.log(`up failed after ${seconds.toFixed(0)} s`);
        assert.ok(seconds < 120, `${seconds} s`);
        const state = "systemctl show --property ActiveState --value kubelet.service; ls /etc/kubernetes/manifests";
        assert.equal((await cluster.exec(controller, state)).trim(), "inactive");
        const onConsole = await consoleLog("dofails", controller);
        assert.match(onConsole, /tradewind: preflight error Port-10250: /);
    });

    it("goes on in another up once they are fixed", async () => {
        const fix = "systemctl disable --now squatter.socket opt-cni.mount && rm /etc/kubernetes/admin.conf";
        await cluster.exec(controller, fix);
        await eventually("no error", () => cluster.exec(controller, "[ ! -s /run/tradewind/preflight ]"), 30);
    });

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
