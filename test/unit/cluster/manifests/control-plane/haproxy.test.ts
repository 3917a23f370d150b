import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { haproxyContainer, readyEnough } from "../../../../../cluster/manifests/control-plane/haproxy";
import { componentPodOf, dualStack, fixedCluster } from "../../../components/in-cluster/fixture";
import { assertShell } from "../../../components/in-cluster/shell";
import { golden } from "../../../golden";

describe("the listener of an apiserver", () => {
    const container = haproxyContainer(fixedCluster(), "127.64.1.2");
    const script = (container.command as string[])[3]!;
    const start = 'haproxy -f "$dir/serve.cfg" &';

    it("has a script as reviewed", () => golden(__dirname, "haproxy", script));

    it("has a script without a mistake that a shell or shellcheck finds", () => assertShell(script));

    it("checks both configs before it uses either", () => {
        assert.ok(script.indexOf('haproxy -c -q -f "$dir/gate.cfg"') < script.indexOf('haproxy -f "$dir/gate.cfg"'));
        assert.ok(script.indexOf('haproxy -c -q -f "$dir/serve.cfg"') < script.indexOf(start));
        assert.ok(script.includes('haproxy -c -q -f "$dir/serve.cfg"'));
    });

    it("binds the shared port only once its own apiserver is ready", () => {
        assert.ok(script.indexOf("until apiserver_is readyz") < script.indexOf(start));
    });

    it("runs as the apiserver's own user, because only that user may share the port", () => {
        const { spec } = componentPodOf(fixedCluster(), "kube-apiserver");
        assert.equal((spec.securityContext as { runAsUser: number }).runAsUser, 60801);
        assert.equal((container.securityContext as { runAsUser?: number }).runAsUser, undefined);
    });

    it("listens a second earlier if nothing else listens", () => {
        assert.ok(script.includes(`if [ "$(listeners)" -eq 0 ] && apiserver_is '${readyEnough}'; then break; fi`));
    });

    it("limits connections of each source, keeps some for the machine, and drops those that say nothing", () => {
        const serve = (options: Parameters<typeof fixedCluster>[0] = {}) => {
            const text = (haproxyContainer(fixedCluster(options), "127.64.1.2").command as string[])[3]!;
            return text.slice(text.indexOf("serve.cfg"), text.indexOf("apiserver_is()"));
        };
        const numbers = [...serve().matchAll(/maxconn (\d+)/g)].map(([, number]) => Number(number));
        const [all, others, machine] = numbers;
        assert.equal(all, others! + machine!);
        // Two files for each connection, where machines limit a process to 20 000.
        assert.ok(all! * 2 < 19_000);
        for (const frontend of serve().split("frontend ").slice(1, 3)) {
            assert.match(
                frontend,
                /inspect-delay 5s\n.*accept if \{ req.ssl_hello_type 1 \}\n +tcp-request content reject\n/,
            );
        }
        assert.match(serve(), /is_pod src 10\.2\.0\.0\/16\n/);
        assert.match(serve({ network: dualStack }), /is_pod src 10\.2\.0\.0\/16 fd00:10:2::\/56\n/);
        const most = (text: string) => /reject if \{ sc0_conn_cur gt (\d+) \}/.exec(text)![1];
        // A load balancer hides the addresses of all clients.
        assert.equal(most(serve()), "3000");
        assert.equal(most(serve({ apiLoadBalancer: false })), "1000");
    });

    it("freezes the listener before its apiserver refuses requests, however long looking takes", () => {
        const own = script.slice(script.indexOf("IFS=. read"), script.indexOf("# Hundredths"));
        const functions = script.slice(script.indexOf("unbind() {"), script.indexOf("trap 'exit 0' USR1 TERM"));
        const folder = mkdtempSync(join(tmpdir(), "tradewind-drain-"));
        const clock = join(folder, "clock");
        writeFileSync(clock, "0\n");
        // Hundredths of a second, in a file: functions in $() cannot set variables.
        const fakes = `
now() { read -r now <${clock}; }
pass() { now; echo $((now + $1)) >${clock}; }
sleep() { pass "$(printf %s "\${1#0.}" | cut -c1-2 | sed 's/^0//')"; }
listeners() { pass 30; echo 2; }
apiserver_is() { pass 20; false; }
grep() { pass 2; [ "$*" = "-q 0201407F:192B 00000000:0000 0A /proc/net/tcp" ] && [ "$now" -lt 400 ]; }
kill() { now; echo "$1 $now"; }
listener=1
`;
        const { stdout, stderr } = spawnSync("sh", ["-eu", "-c", `${own}${functions}${fakes}drain`], {
            encoding: "utf8",
        });
        rmSync(folder, { recursive: true });
        const at = /^-STOP (\d+)$/m.exec(stdout)?.[1];
        assert.ok(at, `${stdout}${stderr}`);
        assert.ok(Number(at) > 370 && Number(at) <= 390, stdout);
        assert.ok(Number(/^-CONT (\d+)$/m.exec(stdout)?.[1]) > 400, stdout);
    });

    it("ends at a second signal, which what is left of a machine that shuts down gets", () => {
        const drain = script.slice(script.indexOf("drain() {"), script.indexOf("trap drain USR1 TERM"));
        assert.ok(drain.indexOf("trap 'exit 0' TERM") < drain.indexOf("sleep"));
    });

    it("never binds all addresses: with its own apiserver dead it would reach another pod's listener", () => {
        assert.doesNotMatch(script, /bind (0\.0\.0\.0|\*|:)/);
    });

    it("listens only on the node's own address, and without a load balancer on each address of its machine", () => {
        const unbalanced = haproxyContainer(fixedCluster({ apiLoadBalancer: false }), "127.64.1.2");
        const other = (unbalanced.command as string[])[3]!;
        const binds = (text: string) =>
            text.match(/^ *bind .*(?::6443|:6443"|LISTEN\}")$/gm)!.map((each) => each.trim());
        assert.deepEqual(binds(script), ['bind "${NODE_IP}:6443"', "bind 127.0.0.1:6443"]);
        assert.deepEqual(binds(other), ['bind "${LISTEN}"', "bind 127.0.0.1:6443"]);
        assert.ok(other.indexOf("export LISTEN") < other.indexOf('haproxy -c -q -f "$dir/serve.cfg"'));
        assertShell(other);
    });

    it("closes its connections when its own apiserver has not been ready for half a minute", () => {
        assert.match(
            script,
            /option httpchk GET \/readyz\?exclude=\S*\n *server own .* inter 3s fall 10 rise 1 on-marked-down shutdown-sessions/,
        );
    });

    it("forwards only to its own apiserver", () => {
        const servers = script.match(/^ *server .*$/gm)!.map((line) => line.trim());
        assert.deepEqual(
            servers.map((server) => server.split(" ").slice(0, 3).join(" ")),
            ["server own 127.64.1.2:6443", "server own 127.64.1.2:6443"],
        );
    });
});

describe("an apiserver that is ready enough", () => {
    it("may lack what an apiserver makes in its first second, and nothing else", () => {
        const url = new URL(readyEnough, "https://127.0.0.1/");
        assert.equal(url.pathname, "/readyz");
        assert.deepEqual(url.searchParams.getAll("exclude"), [
            "poststarthook/rbac/bootstrap-roles",
            "poststarthook/scheduling/bootstrap-system-priority-classes",
        ]);
    });
});
