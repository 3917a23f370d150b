import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { keepRegistered } from "../../../../../cluster/machines/kubelet/keep-registered";
import { diffable } from "../../../../../ignition";
import { fixedCluster } from "../../../components/in-cluster/fixture";
import { assertShell } from "../../../components/in-cluster/shell";

const texts = diffable(keepRegistered(fixedCluster(), { machine: { name: "c-blue-0" }, pool: "blue" }));
const script = texts["/opt/tradewind/bin/keep-registered"]!.replace(/^mode.*\n/, "");

const missing = `404 {"kind": "Status", "reason": "NotFound", "details": {"name": "c-blue-0", "kind": "nodes"}}`;
const found = `200 {"kind": "Node"}`;
const desired = `200 {"data": {"c-blue-0": "blue", "c-blue-1": "blue"}}`;
const noPods = `200 {"items": []}`;
const pods = `200 {"items": [{}]}`;

interface Api {
    /** Responses about the Node, one per request; the last one repeats. */
    readonly node: readonly string[];
    readonly desired?: string;
    readonly pods?: string;
    /** Whether the API has had the Node before. @default true */
    readonly isRegistered?: boolean;
    readonly pool?: string;
    /** As the cloud names it. */
    readonly isUnnamed?: boolean;
}

/** Requests after which the kubelet is restarted, out of so many. */
function restarts(api: Api, rounds: number): number[] {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-registered-"));
    const at = (name: string) => join(folder, name);
    const program = (name: string, text: string) => writeFileSync(at(name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    try {
        writeFileSync(at("looks"), "");
        writeFileSync(at("client"), "");
        writeFileSync(at("nodes"), `${api.node.join("\n")}\n`);
        writeFileSync(at("desired"), `${api.desired ?? desired}\n`);
        writeFileSync(at("pods"), `${api.pods ?? noPods}\n`);
        if (api.isRegistered ?? true) writeFileSync(at("registered"), "");
        program("sleep", `echo >>${at("looks")}; [ "$(wc -l <${at("looks")})" -le ${rounds} ]`);
        program(
            "curl",
            `for url; do [ "$before" = -o ] && file=$url; before=$url; done
            look=$(wc -l <${at("looks")})
            case "$url" in
            *nodes/c-blue-0) line=$(sed -n "$look p" ${at("nodes")}); [ -n "$line" ] || line=$(tail -n 1 ${at("nodes")}) ;;
            *desired-nodes) line=$(cat ${at("desired")}) ;;
            *pods*nodeName%3Dc-blue-0) line=$(cat ${at("pods")}) ;;
            *) exit 9 ;;
            esac
            echo "\${line#* }" >"$file"
            printf %s "\${line%% *}"`,
        );
        program("node-name", `[ "$(wc -l <${at("looks")})" -gt 1 ] && echo c-blue-0`);
        program("systemctl", `[ "$1" != restart ] || wc -l <${at("looks")} >>${at("restarts")}`);
        // Time only advances with requests.
        program("cut", `echo $(($(wc -l <${at("looks")}) * 10))`);
        const own = script
            .replaceAll("/var/lib/kubelet/pki/kubelet-client-current.pem", at("client"))
            .replaceAll("/var/lib/tradewind/registered", at("registered"))
            .replaceAll("/opt/tradewind/bin/node-name", at("node-name"))
            .replaceAll("/run/flannel/subnet.env", at("subnet.env"))
            .replaceAll("/run/keep-registered.json", at("answer"));
        const env = { PATH: [folder, process.env.PATH].join(delimiter) };
        const args = [
            "-c",
            own,
            "keep-registered",
            api.pool ?? "blue",
            api.isUnnamed ? "" : "c-blue-0",
            "https://api:6443",
        ];
        execFileSync("sh", args, { env, stdio: ["ignore", "ignore", "inherit"] });
        return existsSync(at("restarts")) ? readFileSync(at("restarts"), "utf8").trim().split("\n").map(Number) : [];
    } finally {
        rmSync(folder, { recursive: true });
    }
}

describe("what keeps a machine registered", function () {
    this.timeout(60_000);

    it("is a short script that a shell can read", () => {
        assertShell(script);
        assert.ok(script.split("\n").length < 60, "it is short");
    });

    it("gets its pool, its node and the API endpoints, a controller's own first", () => {
        const unit = (pool: string, name?: string) =>
            diffable(keepRegistered(fixedCluster(), { machine: { name }, pool }))["keep-registered.service"]!;
        assert.match(unit("blue", "c-blue-0"), /keep-registered blue "c-blue-0" https:\/\/[^1 ]\S+:6443$/m);
        assert.match(unit("blue"), /keep-registered blue "" https/);
        assert.match(
            unit("controller", "c"),
            /keep-registered controller "c" https:\/\/127.0.0.1:6443 https:\/\/\S+:6443$/m,
        );
    });

    const table: [string, Api, number, number[]][] = [
        ["restarts the kubelet of a Node that is missing", { node: [found, missing] }, 8, [4]],
        ["knows the name that the machine's node keeps", { node: [found, found, missing], isUnnamed: true }, 8, [5]],
        ["does nothing while the Node is there", { node: [found] }, 8, []],
        ["waits until Kubernetes has deleted the Node's pods", { node: [found, missing], pods }, 16, []],
        ["and not for ever, since its controllers may be missing too", { node: [found, missing], pods }, 24, [19]],
        [
            "leaves a Node away that the stack has removed",
            { node: [found, missing], desired: `200 {"data": {"c-blue-1": "blue"}}` },
            8,
            [],
        ],
        [
            "knows a pool whose nodes the cloud names",
            { node: [found, missing], desired: `200 {"data": {"pool.blue": "any"}}` },
            8,
            [4],
        ],
        [
            "and which of them it is of",
            { node: [found, missing], desired: `200 {"data": {"pool.blue": "any"}}`, pool: "lu" },
            8,
            [],
        ],
        ["does nothing without the stack's record", { node: [found, missing], desired: missing }, 8, []],
        ["does nothing if it may not read that", { node: [found, missing], desired: "403 {}" }, 8, []],
        [
            "does nothing for a kubelet that never was registered, and is trying to be",
            { node: [missing], isRegistered: false },
            8,
            [],
        ],
        ["does nothing for one whose certificate has ended", { node: [found, "401 {}"] }, 8, []],
        ["does nothing without an API", { node: [found, "000 {}"] }, 8, []],
        ["does nothing for a 404 of something else", { node: [found, "404 404 page not found"] }, 8, []],
        [
            "counts from the start when the API was away in between",
            { node: [found, missing, missing, "503 {}", missing] },
            8,
            [7],
        ],
        ["restarts it less and less often when that does not help", { node: [found, missing] }, 110, [4, 34, 94]],
    ];
    for (const [what, api, rounds, expected] of table) {
        it(what, () => assert.deepEqual(restarts(api, rounds), expected));
    }
});
