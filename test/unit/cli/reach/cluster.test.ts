import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findCluster } from "../../../../cli/reach/cluster";

function kubeconfig(server: string, cluster = "c"): string {
    return JSON.stringify({
        clusters: [{ name: cluster, cluster: { server } }],
        users: [{ name: "u", user: { token: "t" } }],
        contexts: [{ name: "x", context: { cluster, user: "u" } }],
        "current-context": "x",
    });
}

describe("the selected cluster", () => {
    const before = process.env.TRADEWIND_STATE;
    let root: string;
    let file: string;

    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "tradewind-access-"));
        process.env.TRADEWIND_STATE = join(root, "state");
        file = join(root, "config");
        writeFileSync(file, kubeconfig("https://api.example.com:6443"));
    });

    afterEach(() => {
        if (before === undefined) {
            delete process.env.TRADEWIND_STATE;
        } else {
            process.env.TRADEWIND_STATE = before;
        }
        rmSync(root, { recursive: true });
    });

    function local(name: string, isUp = true): string {
        const dir = join(root, "state", name);
        mkdirSync(dir, { recursive: true });
        if (isUp) {
            writeFileSync(join(dir, "kubeconfig"), kubeconfig("https://10.0.0.3:6443"));
        }
        return join(dir, "kubeconfig");
    }

    it("is the only local one by default", () => {
        local("one");
        mkdirSync(join(root, "state/.seen"));
        const { name, local: own, connection, notes } = findCluster({}, {});
        assert.deepEqual([name, own, connection?.server], ["one", "one", "https://10.0.0.3:6443"]);
        assert.equal(notes, join(root, "state/one/seen.json"));
    });

    it("is a local one with a damaged kubeconfig only once that is deleted", () => {
        const path = local("one");
        writeFileSync(path, "");
        assert.throws(() => findCluster({}, {}), {
            name: "Error",
            exitCode: 2,
            message: `${path}: kubeconfig must be a YAML or JSON object; delete it, and npm start writes it again`,
        });
        rmSync(path);
        assert.equal(findCluster({}, {}).connection, undefined);
    });

    it("is that of --kubeconfig, then that of $KUBECONFIG, then a local one", () => {
        local("one");
        const other = join(root, "other");
        writeFileSync(other, kubeconfig("https://api.prod.example.com:6443", "prod"));
        assert.equal(findCluster({}, { KUBECONFIG: file }).connection?.server, "https://api.example.com:6443");
        const given = findCluster({ kubeconfig: other }, { KUBECONFIG: file });
        // The cloud's resources are named after the cluster, not after its API.
        assert.deepEqual([given.name, given.local], ["prod", undefined]);
    });

    it("is recognized as local by its kubeconfig, under any path", () => {
        const link = join(root, "link");
        symlinkSync(local("one"), link);
        assert.equal(findCluster({}, { KUBECONFIG: link }).local, "one");
    });

    it("has a cache file that depends on the cluster, not the name of its kubeconfig", () => {
        const copy = join(root, "copy");
        writeFileSync(copy, kubeconfig("https://api.example.com:6443"));
        const { notes } = findCluster({ kubeconfig: file }, {});
        assert.equal(findCluster({ kubeconfig: copy }, {}).notes, notes);
        assert.notEqual(findCluster({ kubeconfig: local("one") }, {}).notes, notes);
    });

    it("may have no kubeconfig yet", () => {
        local("half", false);
        assert.equal(findCluster({ name: "half" }, {}).connection, undefined);
    });

    it("must be unambiguous", () => {
        const none = "there are no local clusters; use --kubeconfig FILE for any other cluster";
        assert.throws(() => findCluster({}, {}), { message: none, exitCode: 2 });
        local("one");
        local("two");
        const refused: [Parameters<typeof findCluster>, string][] = [
            [[{}, {}], "there are several local clusters; choose one with --name: one, two"],
            [[{ name: "three" }, {}], "--name must be one of one, two (got three)"],
            [[{ name: "one", kubeconfig: file }, {}], "--name and --kubeconfig are mutually exclusive"],
            [[{ kubeconfig: "/none" }, {}], "--kubeconfig must be a kubeconfig file (got /none)"],
            [[{}, { KUBECONFIG: "/none" }], "KUBECONFIG must be a kubeconfig file (got /none)"],
            [[{}, { KUBECONFIG: `${file}:${file}` }], "KUBECONFIG lists several files; choose one with --kubeconfig"],
            [[{ kubeconfig: file, context: "y" }, {}], `${file}: context must be one of x (got y)`],
        ];
        for (const [args, message] of refused) {
            assert.throws(() => findCluster(...args), { message, exitCode: 2 });
        }
    });
});
