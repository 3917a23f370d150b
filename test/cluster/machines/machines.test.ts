import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type TLSSocket } from "node:tls";
import { promisify } from "node:util";
import * as machines from "../../../machines";
import { labels } from "../../../machines/names";
import { apiServer, bootstrapping, RESUMED } from "../machine-configs";

const DOMAIN = "tradewind.test";
const CLUSTERS: readonly [string, string] = [`t${process.pid}a`, `t${process.pid}b`];

async function until(what: string, condition: () => Promise<boolean>, seconds = 20): Promise<void> {
    const deadline = Date.now() + seconds * 1000;
    while (!(await condition().catch(() => false))) {
        assert.ok(Date.now() < deadline, `waited ${seconds} s for ${what}`);
        await sleep(100);
    }
}

/** Requests the name of the machine behind a connection. */
function ask(socket: TLSSocket): Promise<string> {
    return new Promise((resolve, reject) => {
        socket.once("error", reject);
        socket.once("close", () => reject(new Error("the connection was closed")));
        socket.once("data", (data) => resolve(data.toString().split("\r\n\r\n")[1]));
        socket.write("GET /readyz HTTP/1.1\r\nHost: api\r\n\r\n");
    });
}

async function askOnce(address: string): Promise<string> {
    const socket = open(address);
    try {
        return await ask(socket);
    } finally {
        socket.removeAllListeners("close").destroy();
    }
}

function open(address: string): TLSSocket {
    return connect({ host: address, port: 6443, rejectUnauthorized: false });
}

/** Prints whether the load balancer considers its only backend ready: 0 or 2. */
const askHealth =
    "echo 'show servers state controllers' | socat stdio unix-connect:/run/haproxy.sock | awk '/:6443|10\\./ {print $6}'";

describe("local machines", function () {
    this.timeout(120_000);
    const [cluster, other] = CLUSTERS;
    const subnets: string[] = [];
    const address = (host: number, of = 0) => subnets[of]!.replace(".0/24", `.${host}`);
    const sh = (name: string, script: string, of = cluster) => machines.exec(of, name, ["sh", "-c", script]);
    const create = (name: string, host: number, config = apiServer(name)) =>
        machines.createMachine({ cluster, name, address: address(host), config });

    before(async () => {
        await machines.ensureEngine();
        for (const each of CLUSTERS) {
            const subnet = await machines.pickSubnet(each);
            // Commands of a killed run may still be running when the next one starts.
            const make = () => machines.createNetwork({ cluster: each, subnet, domain: DOMAIN });
            await Promise.all([make(), make()]);
            subnets.push(subnet);
        }
        await Promise.all([create("one", 11), create("one", 11), create("two", 12)]);
        await machines.createMachine({
            cluster: other,
            name: "one",
            address: address(11, 1),
            config: apiServer("one"),
        });
    });

    afterEach(async function () {
        if (this.currentTest?.state === "failed") {
            const folder = `${process.env.TRADEWIND_LOGS ?? "/tmp"}/machines-${cluster}`;
            await machines.collectLogs(cluster, folder);
            console.error(`logs of every machine: ${folder}`);
        }
    });

    after(async () => {
        await Promise.all(CLUSTERS.map((each) => machines.destroyCluster(each)));
    });

    it("match their Ignition configuration", async () => {
        assert.equal((await sh("one", "hostname")).trim(), "one");
        assert.equal((await sh("one", "stat -c %a:%U /etc/secret")).trim(), "600:root");
        await until(
            "the enabled unit",
            async () => (await sh("one", "systemctl is-active fake-api")).trim() === "active",
        );
        assert.equal((await sh("one", "systemctl is-system-running --wait")).trim(), "running");
    });

    it("keep no secret where the engine shows it, nor the configuration once it was applied", async () => {
        const inspected = await machines.docker(["inspect", machines.containerName(cluster, "one")]);
        assert.ok(!inspected.includes("hunter2"));
        assert.ok(!(await machines.consoleLog(cluster, "one")).includes("hunter2"));
        assert.equal(
            (await sh("one", "grep -rl hunter2 /etc /var /run /usr/lib/ignition 2>/dev/null || :")).trim(),
            "/etc/secret",
        );
    });

    it("show systemd's messages on their console", async () => {
        await until("the console", async () =>
            (await machines.consoleLog(cluster, "one")).includes("Started fake-api.service"),
        );
    });

    it("are unchanged when they are created again", async () => {
        await sh("one", "touch /etc/changed");
        await create("one", 11, apiServer("changed"));
        assert.equal(await sh("one", "ls /etc/changed && hostname"), "/etc/changed\none\n");
        await assert.rejects(create("one", 13), /--address must be .*\.11, which machine one has \(got .*\.13\)/);
    });

    it("resolve each other by name, only in their own cluster", async () => {
        const lookup = (name: string) => sh("one", `getent ahostsv4 ${name} | cut -d" " -f1 | sort -u`);
        assert.equal((await lookup(`two.${cluster}.${DOMAIN}`)).trim(), address(12));
        assert.equal((await lookup("two")).trim(), address(12));
        assert.equal((await lookup(`api.${cluster}.${DOMAIN}`)).trim(), address(3));
        assert.equal((await lookup(`one.${other}.${DOMAIN}`)).trim(), "");
        const refused = await sh("one", "busybox nslookup example.com 2>&1 || :");
        assert.match(refused, /REFUSED/);
    });

    it("reach each other but not the other cluster, on a network without a route out", async () => {
        const reach = (host: string) =>
            sh("one", `curl -sk -m 1 -o /dev/null https://${host}:6443/ && echo yes || echo no`);
        assert.equal((await reach(address(12))).trim(), "yes");
        assert.equal((await reach(address(11, 1))).trim(), "no");
        const internal = await machines.docker([
            "network",
            "inspect",
            "--format",
            "{{.Internal}}",
            `tradewind-${cluster}`,
        ]);
        assert.equal(internal.trim(), "true");
    });

    it("get images and files from the mirror", async () => {
        const mirror = `http://mirror.${cluster}.${DOMAIN}`;
        assert.equal(await sh("one", `curl -fsS ${mirror}:5000/v2/`), "{}");
        const status = await sh("one", `curl -sS -o /dev/null -w '%{http_code}' ${mirror}:8080/nothing`);
        assert.equal(status, "404");
        const push = `curl -sS -X POST -o /dev/null -w '%{http_code}' ${mirror}:5000/v2/x/blobs/uploads/`;
        assert.equal(await sh("one", push), "405");
    });

    it("apply their configuration only once, whether they reboot or lose power", async () => {
        await sh("one", "echo mine >/etc/secret");
        const [reboots, bootTime] = [machines.reboot, () => sh("one", "cat /proc/1/stat | cut -d' ' -f22")];
        for (const act of [reboots, machines.powerCut]) {
            const before = await bootTime();
            await act(cluster, "one");
            await until("the unit", async () => (await sh("one", "systemctl is-active fake-api")).trim() === "active");
            assert.notEqual(await bootTime(), before);
            assert.equal((await sh("one", "hostname; cat /etc/secret")).trim(), "one\nmine");
            assert.equal((await sh("one", "hostname -I")).trim(), address(11));
        }
    });

    it("keep their own DNS server while files are copied from them, as for a support bundle", async () => {
        const container = machines.containerName(cluster, "one");
        const look = "until [ -e /run/copied ]; do cat /etc/resolv.conf; sleep 0.01; done | sort -u";
        const seen = sh("one", `rm -f /run/copied; timeout 60 sh -c '${look}'`);
        for (let copies = 0; copies < 5; copies++) await machines.docker(["cp", `${container}:/usr/bin/env`, "-"]);
        await sh("one", "touch /run/copied");
        assert.equal(await seen, await sh("one", "sort -u /etc/resolv.conf"));
    });

    it("shut down gracefully on a reboot", async () => {
        await sh(
            "two",
            `systemd-run --unit goodbye --property ExecStop='/bin/sh -c "sleep 1; date >/etc/goodbye"' --remain-after-exit true`,
        );
        await machines.reboot(cluster, "two");
        await until("the machine", async () => (await sh("two", "ls /etc/goodbye")).trim() !== "");
    });

    it("retry a first boot that was interrupted or failed, with the new configuration", async () => {
        await assert.rejects(
            create("three", 13, "{}"),
            /machine three: first boot failed \(exit code 1\); its console:/,
        );
        await create("three", 13);
        assert.equal((await sh("three", "hostname")).trim(), "three");
    });

    it("use a cloud-init configuration instead, once", async () => {
        const script = "echo applied >>/etc/applied";
        const config = `#cloud-config\nwrite_files: [{path: /etc/secret, content: hunter2}]\nruncmd: ["${script}"]\n`;
        await machines.createMachine({ cluster, name: "four", address: address(14), config, os: "cloud-init" });
        await machines.reboot(cluster, "four");
        await until(
            "the reboot",
            async () => (await sh("four", "systemctl is-system-running --wait")).trim() === "running",
        );
        assert.equal(await sh("four", "hostname; cat /etc/applied"), "four\napplied\n");
        assert.equal(await sh("four", "grep -rl hunter2 /etc /var /run || :"), "/etc/secret\n");
        await machines.destroyMachine(cluster, "four");
        const broken = { cluster, name: "four", address: address(14), os: "cloud-init" } as const;
        await assert.rejects(
            machines.createMachine({ ...broken, config: "#cloud-config\nruncmd: [[exit, 1]]\n" }),
            /machine four: first boot failed .*cloud-init failed/s,
        );
        await machines.destroyMachine(cluster, "four");
    }).timeout(300_000);

    it("are started when stopped, but not if a killed run never started them", async () => {
        await machines.powerOff(cluster, "one");
        const half = ["half", "infra.service"].map((name, index) => ({
            name: machines.containerName(cluster, name),
            labels: labels(cluster, index === 0 ? "machine" : "infra"),
        }));
        await machines.docker(["rm", "--force", half[1]!.name]);
        const image = await machines.ensureImage();
        for (const { name, labels } of half)
            await machines.docker(["create", "--name", name, ...labels, image, "/usr/lib/tradewind/infra"]);
        const said: string[] = [];
        await machines.wake(cluster, (line) => said.push(line));
        assert.deepEqual(said, ["starting one"]);
        assert.equal((await sh("one", "hostname")).trim(), "one");
        await machines.docker(["rm", half[0]!.name]);
        // Creating the network restores it completely.
        await machines.createNetwork({ cluster, subnet: subnets[0]!, domain: DOMAIN });
        await until("DNS", async () => (await sh("one", `getent hosts two.${cluster}.${DOMAIN} || true`)) !== "");
    });

    it("are started with their addresses after their network was pruned", async () => {
        const all = (await machines.list(other)).map(({ name }) => machines.containerName(other, name));
        await machines.docker(["stop", "--time", "60", ...all]);
        const network = await machines.findNetwork(other);
        await machines.docker(["network", "rm", `tradewind-${other}`]);
        await machines.wake(other, () => undefined, network);
        assert.deepEqual(await machines.findNetwork(other), network);
        assert.ok((await sh("one", "hostname -I", other)).split(/\s/).includes(address(11, 1)));
        await until("DNS", async () => (await sh("one", `getent hosts one.${other}.${DOMAIN} || true`, other)) !== "");
    });

    it("leave no volume behind", async () => {
        const container = machines.containerName(cluster, "three");
        const format = '{{range .Mounts}}{{if eq .Type "volume"}}{{.Name}} {{end}}{{end}}';
        const volumes = (await machines.docker(["inspect", "--format", format, container])).trim().split(" ");
        assert.equal(volumes.length, 3);
        await machines.destroyMachine(cluster, "three");
        const left = await machines.docker(["volume", "ls", "--quiet"]);
        assert.deepEqual(
            volumes.filter((volume) => left.includes(volume)),
            [],
        );
        assert.equal((await sh("one", `getent hosts three.${cluster}.${DOMAIN} || echo gone`)).trim(), "gone");
        await machines.destroyMachine(cluster, "three");
    });

    it("are followed through their bootstrap, including a power cut", async () => {
        await create("five", 15, bootstrapping(RESUMED));
        const lines: string[] = [];
        const follow = machines.waitForBootstrap({
            cluster,
            name: "five",
            timeout: 60,
            print: (line) => lines.push(line),
        });
        await until("the first stage", async () => lines.includes("bootstrap: write-manifests done in 0.5s"));
        await machines.powerCut(cluster, "five");
        await follow;
        const stages = lines.filter((line) => !line.includes("waiting for"));
        assert.deepEqual(stages, ["bootstrap: write-manifests done in 0.5s", "bootstrap: pivot done in 2.0s"]);
    });

    it("report the last lines of a bootstrap that failed or takes too long", async () => {
        const print = () => undefined;
        await create("six", 16, bootstrapping("echo the disk is full; exit 1"));
        await assert.rejects(
            machines.waitForBootstrap({ cluster, name: "six", timeout: 60, print }),
            /the bootstrap on six failed\n.*the disk is full/s,
        );
        await create("seven", 17, bootstrapping("echo waiting for godot; sleep 100"));
        await assert.rejects(
            machines.waitForBootstrap({ cluster, name: "seven", timeout: 2, print }),
            /the bootstrap on seven did not finish within 2 s\n.*waiting for godot/s,
        );
    });

    it("can be balanced over changing backends without dropping a connection", async () => {
        const balance = (...hosts: number[]) =>
            machines.ensureLoadBalancer({ cluster, address: address(3), backends: hosts.map((host) => address(host)) });
        await balance(11);
        await until("the load balancer", async () => (await askOnce(address(3))) === "one");
        const kept = open(address(3));
        assert.equal(await ask(kept), "one");

        let isDone = false;
        const answers: string[] = [];
        const prober = (async () => {
            for (let i = 0; i < 5000 && !isDone; i++) {
                answers.push(await askOnce(address(3)).catch((error: Error) => `failed: ${error.message}`));
            }
        })();
        await balance(11, 12);
        await balance(12);
        await until("the other machine", async () => answers.slice(-5).every((answer) => answer === "two"));
        // A backend that does not respond gets no connection, even after a reload.
        await balance(12, 13);
        await sleep(3000);
        await balance(12, 13, 14);
        isDone = true;
        await prober;
        assert.deepEqual(
            answers.filter((answer) => answer.startsWith("failed")),
            [],
        );
        assert.ok(answers.length > 100);
        assert.equal(await ask(kept), "one");
        kept.removeAllListeners("close").destroy();
    });

    it("get requests from the load balancer even if none is ready", async () => {
        const backends = [address(12)];
        await machines.ensureLoadBalancer({ cluster, address: address(3), backends });
        await sh("two", "sed -i 's/status 200/status 503/' /etc/api.cfg && systemctl restart fake-api");
        const health = () => machines.exec(cluster, "api.service", ["sh", "-c", askHealth]);
        await until("the load balancer to notice", async () => (await health()).trim() === "0");
        for (let i = 0; i < 20; i++) assert.equal(await askOnce(address(3)), "two");
        assert.equal((await health()).trim(), "0");
    });

    it("are all removed when their cluster is destroyed, and the other cluster stays", async () => {
        const stays: string[] = [];
        await machines.destroyCluster(cluster, (line) => stays.push(line));
        assert.deepEqual(await machines.list(cluster), []);
        assert.equal((await sh("one", "hostname", other)).trim(), "one");
        const { stdout } = await promisify(execFile)("ip", ["route"]);
        // The engine may refuse to remove an empty network, which is then reported.
        assert.equal((await machines.findNetwork(cluster)) === undefined, stays.length === 0, stays.join());
        assert.equal(!stdout.includes(subnets[0]!), stays.length === 0, stdout);
        await machines.destroyCluster(cluster);
    });
});
