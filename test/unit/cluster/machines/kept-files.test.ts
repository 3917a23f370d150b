import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
    mkdirSync,
    mkdtempSync,
    readFileSync,
    rmSync,
    statSync,
    symlinkSync,
    truncateSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hostFiles } from "../../../../cluster/machines/host-files";
import { keepFiles, keptFiles, restoreFiles } from "../../../../cluster/machines/kept-files";
import { paths } from "../../../../cluster/paths";
import { diffable } from "../../../../ignition";
import { assertShell } from "../../components/in-cluster/shell";

const texts = diffable(keepFiles());
const program = `${paths.bin}/keep-files`;
const script = (path: string) => texts[path]!.replace(/^.*?(?=#!)/s, "");

const pem = (what: string, length = 900) =>
    `-----BEGIN ${what}-----\n${randomBytes(length).toString("base64")}\n-----END ${what}-----\n`;
const certificate = pem("CERTIFICATE");
const pair = certificate + pem("EC PRIVATE KEY", 120);

/**
 * The same in every run, with control characters in the first bytes. Random bytes often have none in so few as the
 * smallest file has (4 % of 28 bytes): then they pass for a text, which may be a change.
 */
const noise = (size: number) => createHash("shake128", { outputLength: size }).update("power cut").digest();

/** What a power cut may leave of a file. */
const damages: Readonly<Record<string, (path: string) => void>> = {
    emptied: (path) => truncateSync(path, 0),
    "cut in half": (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
    "filled with noise": (path) => writeFileSync(path, noise(statSync(path).size)),
    "filled with zeros": (path) => writeFileSync(path, Buffer.alloc(statSync(path).size)),
};

describe("a machine that keeps copies of its files", () => {
    let root: string;
    const at = (path: string) => join(root, path);
    const write = (path: string, text: string | Buffer) => {
        mkdirSync(dirname(at(path)), { recursive: true });
        writeFileSync(at(path), text);
    };
    const text = (path: string) => readFileSync(at(path), "utf8");
    /** Runs a program of the machine with its own root directory. */
    const run = (path: string, ...args: string[]) => {
        const shell = script(path)
            .replaceAll(/(?<=[ =#])\/(?=etc|opt|run|var)/g, `${root}/`)
            .replace("sleep 60", "break");
        const env = { ...process.env, PATH: `${at("fake")}:${process.env.PATH}` };
        const { stdout, stderr } = spawnSync("sh", ["-c", shell, "x", ...args], { env, encoding: "utf8" });
        assert.match(stderr, /^(keep-files: .*\n)*$/);
        return `${stderr}${stdout}`.replaceAll(root, "");
    };
    const boot = () => {
        rmSync(at("/run/keep-files"), { force: true });
        return run(program, "restore");
    };
    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "kept-files-"));
        // A unit without an [Install] section is static.
        const systemctl =
            'case "$1 $2" in "is-enabled kubelet.service") echo enabled ;; is-enabled*) echo static ;; *) echo "systemctl $*" ;; esac';
        write("/fake/systemctl", `#!/bin/sh\n${systemctl}\n`);
        execFileSync("chmod", ["755", at("/fake/systemctl")]);
        write("/run/keep-files", "");
        write("/var/lib/kubelet/pki/kubelet-client-2026.pem", pair);
        symlinkSync("kubelet-client-2026.pem", at(paths.kubeletClient));
        write(paths.ca, certificate + certificate);
        write(`${paths.etcdPki}/member.key`, pem("PRIVATE KEY"));
        write(paths.kubeletVersion, "KUBELET_VERSION=1.99.0\nKUBELET_SETTINGS=a\n");
        write(paths.etcdStaticPod, JSON.stringify({ kind: "Pod", metadata: { name: "etcd" }, spec: {} }, null, 2));
        write(paths.kubeconfig, "apiVersion: v1\nkind: Config\nusers: []\n");
        write(`${paths.bin}/kubelet-wrapper`, "#!/bin/sh\nset -eu\nexec kubelet\n");
        write("/etc/systemd/system/kubelet.service", "[Service]\nExecStart=kubelet\n\n[Install]\n");
        write("/etc/containerd/config.toml", 'version = 3\nimports = ["x"]\n');
    });
    afterEach(() => rmSync(root, { recursive: true }));

    it("has scripts that a shell can read, and of which a whole one can be recognized", () => {
        assertShell(script(program));
        assert.ok(restoreFiles.includes(`"${script(program).trimEnd().split("\n").at(-1)}"`));
    });

    const files = [
        paths.kubeletClient,
        paths.ca,
        `${paths.etcdPki}/member.key`,
        paths.kubeletVersion,
        paths.etcdStaticPod,
        paths.kubeconfig,
        `${paths.bin}/kubelet-wrapper`,
        "/etc/systemd/system/kubelet.service",
        "/etc/containerd/config.toml",
    ];
    for (const [damage, inflict] of Object.entries(damages)) {
        it(`restores every file that was ${damage}`, () => {
            run(program);
            const before = files.map(text);
            rmSync(at("/run/keep-files"));
            for (const file of files) inflict(at(file));
            assert.deepEqual(run(program, "damaged").trim().split("\n").sort(), [...files].sort());
            run(program, "restore");
            assert.deepEqual(files.map(text), before);
            assert.equal(run(program, "damaged"), "");
        });

        it(`does not keep a file that was ${damage}, and removes a certificate without a copy`, () => {
            for (const file of files) inflict(at(file));
            // A text of which the end is missing is a text.
            mkdirSync(at(keptFiles), { recursive: true });
            if (damage !== "cut in half") assert.equal(run(program), "");
            assert.match(run(program, "restore"), /kubelet-client-current\.pem is damaged and has no copy/);
            assert.throws(() => statSync(at(paths.kubeletClient)));
        });
    }

    it("leaves intact files unchanged, whichever program changed them", () => {
        run(program);
        // A CA less is a beginning of what was there before.
        write(paths.ca, certificate);
        write("/etc/containerd/config.toml", 'version = 3\nimports = ["another"]\n');
        rmSync(at(paths.etcdStaticPod));
        assert.equal(run(program, "restore"), "");
        assert.equal(text(paths.ca), certificate);
        run(program);
        assert.equal(text(`${keptFiles}${at(paths.ca)}`), certificate);
    });

    it("reports no file as damaged that is missing, even if sha256sum prints it in spite of --status, as uutils' does", () => {
        run(program);
        rmSync(at(paths.etcdStaticPod));
        write(
            "/fake/sha256sum",
            '#!/bin/sh\nfor each in "$@"; do [ "$each" = --status ] && echo "x: FAILED open or read"; done\nexec /usr/bin/sha256sum "$@"\n',
        );
        execFileSync("chmod", ["755", at("/fake/sha256sum")]);
        assert.equal(run(program, "damaged"), "");
    });

    it("starts enabled units that it restored, and none before every file is whole", () => {
        write("/etc/systemd/system/os-reboot.service", "[Service]\nExecStart=os-reboot\n");
        run(program);
        for (const name of ["kubelet", "os-reboot"]) truncateSync(at(`/etc/systemd/system/${name}.service`), 0);
        truncateSync(at(`${paths.bin}/kubelet-wrapper`), 0);
        const lines = run(program, "restore").trim().split("\n");
        assert.equal(lines.filter((line) => line.endsWith("was damaged: restored")).length, 3);
        assert.deepEqual(lines.slice(3), ["systemctl daemon-reload", "systemctl start --no-block kubelet.service"]);
    });

    it("gives the machine the name that it restored", () => {
        write("/fake/hostname", '#!/bin/sh\necho "$1 $(cat "$2")" >"$0.called"\n');
        execFileSync("chmod", ["755", at("/fake/hostname")]);
        write("/etc/hostname", "c-controller-0\n");
        run(program);
        writeFileSync(at("/etc/hostname"), Buffer.from([7, 255, 0, 31, 128]));
        run(program, "restore");
        assert.equal(text("/etc/hostname"), "c-controller-0\n");
        assert.equal(text("/fake/hostname.called"), "-F c-controller-0\n");
    });

    it("removes damaged state of containers and of the kubelet at a boot, and only then", () => {
        const address = "/var/lib/cni/networks/cbr0/10.2.0.7";
        const whole = "/var/lib/cni/networks/cbr0/10.2.0.8";
        const result = "/var/lib/cni/results/cbr0-1-eth0";
        const state = "/var/lib/kubelet/cpu_manager_state";
        write(address, "1234");
        write(whole, `${"a".repeat(64)}\r\neth0`);
        write(result, '{"kind":"cniCach');
        write("/var/lib/cni/results/cbr0-2-eth0", '{"kind":"cniCacheV1","result":{}}');
        write(state, '{"policyName":"none","defaultCpu');
        write("/var/lib/kubelet/memory_manager_state", '{"policyName":"None","checksum":1}');
        run(program, "restore");
        assert.ok(statSync(at(state)));
        const said = boot();
        for (const file of [address, result, state]) {
            assert.match(said, new RegExp(`keep-files: ${file} is damaged: removed`));
            assert.throws(() => statSync(at(file)));
        }
        assert.equal(said.trim().split("\n").length, 3);
    });

    const database = "/var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db";
    /** As bbolt writes it: a header of 16 bytes, then magic, version, page size, …, and the number of pages. */
    const bolt = () => {
        const pages = Buffer.alloc(8 * 4096);
        for (const start of [0, 4096]) {
            pages.writeUInt32LE(0xed0cdaed, start + 16);
            pages.writeUInt32LE(2, start + 20);
            pages.writeUInt32LE(4096, start + 24);
            pages.writeBigUInt64LE(8n, start + 56);
        }
        return pages;
    };
    it("starts containerd without its state if a database is damaged", () => {
        write("/var/lib/containerd/content/blob", "x");
        write(database, bolt());
        assert.equal(boot(), "");
        for (const inflict of Object.values(damages)) {
            write("/var/lib/containerd/content/blob", "x");
            write(database, bolt());
            inflict(at(database));
            assert.match(boot(), /meta\.db is damaged: removed/);
            assert.throws(() => statSync(at("/var/lib/containerd/content")));
        }
    });

    it("knows of each file how it becomes whole", () => {
        const patterns = hostFiles.flatMap(({ files }) => files);
        assert.equal(new Set(patterns).size, patterns.length);
    });
});
