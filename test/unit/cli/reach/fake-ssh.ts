import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** Records its arguments, fails on request, otherwise runs the command like a remote login shell: as one string. */
const program = `#!/bin/sh
printf '%s\\n' "$@" >"$FAKE_SSH/arguments"
for command; do :; done
if [ -s "$FAKE_SSH/fails" ]; then cat "$FAKE_SSH/fails" >&2; exit 255; fi
if [ -e "$FAKE_SSH/hangs" ]; then exec sleep 20; fi
cd "$FAKE_SSH/root" || exit 254
exec sh -c "$command"
`;

/** Only supports becoming root without a password. */
const sudo = `#!/bin/sh
[ "$1" = -n ] || exit 1
shift
exec "$@"
`;

/** A machine behind an `ssh` that is first on PATH until it is removed: scripts run in one of its folders. */
export class FakeSsh {
    readonly folder = mkdtempSync(join(tmpdir(), "tradewind-ssh-"));
    readonly root = join(this.folder, "root");
    readonly #path = process.env.PATH;

    constructor() {
        const bin = join(this.folder, "bin");
        for (const each of [bin, this.root]) mkdirSync(each);
        this.add("ssh", program);
        this.add("sudo", sudo);
        process.env.FAKE_SSH = this.folder;
        process.env.PATH = [bin, this.#path].join(delimiter);
    }

    /** Adds another program to PATH. */
    add(name: string, text: string): void {
        const path = join(this.folder, "bin", name);
        writeFileSync(path, text);
        chmodSync(path, 0o755);
    }

    /** Adds a `pulumi` that exports a single stack. */
    addStack(name: string, exported: object): void {
        const file = join(this.folder, "export.json");
        writeFileSync(file, JSON.stringify(exported));
        this.add(
            "pulumi",
            `#!/bin/sh
echo "$@" >"$FAKE_SSH/asked"
[ "$6" = ${name} ] || { echo "no stack named '$6'" >&2; exit 1; }
cat ${file}
`,
        );
    }

    /** Arguments of the last call. */
    get arguments(): string[] {
        return readFileSync(join(this.folder, "arguments"), "utf8").trimEnd().split("\n");
    }

    /** Makes it print this and fail. */
    fail(said: string): void {
        writeFileSync(join(this.folder, "fails"), said);
    }

    hang(): void {
        writeFileSync(join(this.folder, "hangs"), "");
    }

    remove(): void {
        process.env.PATH = this.#path;
        delete process.env.FAKE_SSH;
        rmSync(this.folder, { recursive: true });
    }
}
