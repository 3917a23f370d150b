import assert from "node:assert/strict";
import { parse } from "yaml";
import { beginRecovery, bringFile, releaseRecovery } from "../../../../cli/recover/begin";
import { controllerFacts } from "../../../../cli/recover/facts";
import { observeNow } from "../../../../cli/recover/follow";
import { resetScript } from "../../../../cli/recover/recover";
import { snapshotsOn } from "../../../../cli/snapshot/on-controller";
import { reportScript } from "../../../../cli/status/collect/machine-report";
import { awaitName } from "../../../../cluster/machines/await-name";
import { bootstrapAssets } from "../../../../cluster/machines/bootstrap/assets";
import { etcdRestoreScript } from "../../../../cluster/machines/bootstrap/recovery-assets";
import { bootstrapReport } from "../../../../cluster/machines/bootstrap/report";
import { joiningController, joiningWorker, placeholderJoining } from "../../../../cluster/machines/joining-configs";
import { cloudInitUserData } from "../../../../components/aws/machines/user-data";
import { type Config, config, diffable, merge, toCloudInit } from "../../../../ignition";
import {
    downloads,
    dualStack,
    fakeCredentials,
    firstController,
    fixedCluster,
} from "../../components/in-cluster/fixture";
import { type Command, commandsOf } from "./shell-commands";

/**
 * Programs of coreutils, with the options that scripts on machines use, as for getopt: those with a value have a colon.
 * Both GNU's and uutils' programs have them: uutils 0.2.2, of Ubuntu 25.10, and 0.8.0, of Ubuntu 26.04, were run with each.
 */
const coreutils: Readonly<Record<string, { readonly short?: string; readonly long?: readonly string[] }>> = {
    base64: { short: "d" },
    basename: {},
    cat: {},
    chmod: {},
    // uutils' -h changes the target of a link to a directory: uutils/coreutils#11887.
    chown: {},
    cp: { short: "fp" },
    cut: { short: "c:d:f:" },
    date: {},
    df: { short: "Pki" },
    dirname: {},
    env: { short: "i" },
    head: { short: "c:n:", long: ["bytes"] },
    // uutils' -g and -o refuse numbers without a name: uutils/coreutils#14156.
    install: { short: "Dm:" },
    ln: { short: "fnsT" },
    ls: { short: "dt" },
    mkdir: { short: "p" },
    mktemp: { short: "d" },
    mv: { short: "fT" },
    od: { short: "A:j:N:t:v" },
    readlink: {},
    rm: { short: "fr" },
    rmdir: {},
    seq: {},
    sha256sum: { long: ["check", "status", "strict"] },
    sha512sum: { short: "c", long: ["check", "status"] },
    sleep: {},
    sort: { short: "u" },
    sync: {},
    tail: { short: "c:n:q" },
    timeout: {},
    touch: {},
    tr: { short: "cd" },
    uname: { short: "n" },
    wc: { short: "cl" },
};

/** Programs of other packages, which all our OS images have. */
const others = new Set(
    `awk blkid cloud-init cmp containerd ctr curl e2fsck find grep gunzip hostname ip journalctl mkfs.ext4 modprobe mount mountpoint networkctl
pgrep pkill resize2fs rpm-ostree sed ss systemctl tar xargs`.split(/\s+/),
);

function scriptsOf(config: Config): string[] {
    return Object.values(diffable(config)).flatMap((text) => {
        if (/^(mode \d+\n)?#!\/bin\/sh\n/.test(text)) return [text.replace(/^mode.*\n/, "")];
        const lines = text.replaceAll("\\\n", " ").match(/^Exec\w+=[^\s].*$/gm) ?? [];
        return lines.map((line) => line.replace(/^\w+=[-+!]*/, "").replaceAll("$$", "$"));
    });
}

function cloudInitCommands(config: Config): Command[] {
    const { runcmd = [] } = parse(toCloudInit(config)) as { runcmd?: (string | string[])[] };
    return runcmd.flatMap((each) =>
        commandsOf(
            typeof each === "string" ? each : each.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" "),
        ),
    );
}

/** Everything that starts a program on a machine. */
async function everyCommand(): Promise<Command[]> {
    const pair = { urls: ["https://example.com/file"], sha256: "3".repeat(64) };
    const all = {
        ...downloads,
        containerRuntime: { containerd: pair, runc: { ...pair, sha256: "4".repeat(64) } },
        ecrCredentialProvider: pair,
    };
    const configs = (["aws", "digitalocean", undefined] as const).flatMap((cloudProvider) => {
        const workerPools = [{ name: "a" }];
        const cluster = fixedCluster({
            workerPools,
            ...(cloudProvider && { cloudProvider }),
            network: dualStack,
            controlPlaneFiles: { kubeApiserver: { hostDirectories: ["/run/kmsplugin"] } },
        });
        const nodes = { cluster, downloads: all, machineCidr: "10.0.0.0/16" };
        const joining = placeholderJoining(cluster);
        const secrets = fakeCredentials(cluster);
        const [name] = cluster.controllers.names;
        const start = { machine: firstController(cluster), secrets, agent: "", checkpointer: "", nodeApprover: "" };
        return [
            merge(joiningController(nodes, name!, joining, { device: "/dev/disk/by-id/x" }), awaitName(cluster)),
            joiningWorker(nodes, cluster.workerPools[0]!, joining),
            bootstrapAssets(cluster, start),
            bootstrapReport(cluster, secrets, ""),
        ];
    });
    const remote: string[] = [];
    const run = async (script: string) => {
        remote.push(script);
        return "";
    };
    const controller = { name: "c", run };
    await Promise.allSettled([
        beginRecovery(controller, { entries: [], units: [] }, true),
        releaseRecovery(controller),
        bringFile(controller, "/x", Buffer.from("")),
        controllerFacts(controller, "/x"),
        observeNow(controller),
        snapshotsOn(controller, "/x"),
    ]);
    assert.equal(remote.length, 6);
    const objects = [{ bucket: "b", key: "k", path: "/x", mode: 0o644 }];
    const userData = cloudInitUserData({ bucket: "b", key: "k", hash: "5".repeat(128) }, objects, "eu-west-1");
    const scripts = [etcdRestoreScript(fixedCluster()), reportScript, resetScript, userData, ...remote];
    const links = [{ path: "/x", target: "/y" }];
    const files = [{ path: "/z", contents: { source: "https://example.com/z", compression: "gzip" } }];
    return [
        ...[...scripts, ...configs.flatMap(scriptsOf)].flatMap(commandsOf),
        ...[...configs, config({ links, files })].flatMap(cloudInitCommands),
    ];
}

/** What a command uses that the list above lacks. */
function unknown([program, ...args]: Command): string[] {
    const name = program!.split("/").at(-1)!;
    if (/^\/(opt\/tradewind|var\/lib\/cloud)\//.test(program!) || others.has(name)) return [];
    const known = coreutils[name];
    if (!known) return [name];
    const { short = "", long = [] } = known;
    const found: string[] = [];
    for (let index = 0; index < args.length && args[index] !== "--"; index++) {
        const arg = args[index]!;
        if (arg.startsWith("--")) {
            if (!long.includes(arg.slice(2).split("=")[0]!)) found.push(`${name} ${arg}`);
        } else if (/^-./.test(arg)) {
            for (let at = 1; at < arg.length; at++) {
                const place = short.indexOf(arg[at]!);
                if (place < 0 || arg[at] === ":") found.push(`${name} -${arg[at]}`);
                if (short[place + 1] !== ":") continue;
                // Its value is the rest of the word, or the next one.
                if (at === arg.length - 1) index++;
                break;
            }
        }
    }
    return found;
}

describe("programs that run on machines", () => {
    let commands: Command[];
    before(async () => {
        commands = await everyCommand();
    });

    it("are found in scripts, units, cloud-init's commands and what is run by SSH", () => {
        const names = new Set(commands.map(([program]) => program!.split("/").at(-1)!));
        const missed = [...Object.keys(coreutils), ...others].filter((name) => !names.has(name));
        assert.deepEqual(missed, []);
    });

    it("are those of a known list, with options of coreutils that its version in Rust has, too", () => {
        assert.deepEqual([...new Set(commands.flatMap(unknown))].sort(), []);
    });

    it("are no iptables and no nft: Debian's images lack the first, others the second", () => {
        const filters = commands.filter(([program]) => /(^|\/)(ip6?tables|nft)/.test(program!));
        assert.deepEqual(filters, []);
    });

    for (const [script, problems] of [
        ["head -n 1 file | tail -qc 2; cut -d . -f 1 <x", []],
        ["x=$(shuf -n 1 <<END\n$(tac y)\nEND\n)", ["shuf", "tac"]],
        ["case $a in tac | -x) sort -uk 2 ;; *) xargs -d '\\n' truncate -s 0 ;; esac", ["sort -k", "truncate"]],
        ["f() { stat --printf=%s x; }\nif ! f; then sh -c 'wc -L y'; fi", ["stat", "wc -L"]],
    ] as const) {
        it(`are found in ${JSON.stringify(script)}`, () => {
            assert.deepEqual(commandsOf(script).flatMap(unknown).sort(), problems);
        });
    }
});
