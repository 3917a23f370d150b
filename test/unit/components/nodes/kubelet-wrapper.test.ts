import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kubeletWrapper } from "../../../../components/nodes/kubelet-wrapper";
import { paths } from "../../../../components/nodes/paths";
import { diffable } from "../../../../ignition";
import { downloads } from "../fixture";

describe("the kubelet's launcher", () => {
    const texts = diffable(kubeletWrapper("1.99.0", downloads.kubelet));
    const contents = (path: string) => texts[path]!.replace(/^mode.*\n/, "");

    it("is told a version, its hash and where to get it", () => {
        assert.equal(
            contents(paths.kubeletVersion),
            `KUBELET_VERSION=1.99.0\nKUBELET_SHA256=${"1".repeat(64)}\nKUBELET_URLS="${downloads.kubelet.urls.join(" ")}"\n`,
        );
    });

    it("fetches that version, apart from every other, and becomes it", () => {
        const folder = mkdtempSync(join(tmpdir(), "kubelet-wrapper-"));
        try {
            writeFileSync(join(folder, "kubelet.env"), contents(paths.kubeletVersion));
            // In place of the download: a kubelet that says how it was called.
            const fetch = `#!/bin/sh\nmkdir -p "\${1%/*}"\nprintf '#!/bin/sh\\necho "$0" "$@" fetched by: %s\\n' "$*" >"$1"\n`;
            writeFileSync(join(folder, "fetch"), fetch, { mode: 0o755 });
            const script = contents(`${paths.bin}/kubelet-wrapper`)
                .replaceAll(paths.kubeletVersion, join(folder, "kubelet.env"))
                .replaceAll(paths.kubelets, join(folder, "kubelets"))
                .replaceAll(`${paths.bin}/fetch`, join(folder, "fetch"));
            const output = execFileSync("/bin/sh", ["-c", script, "kubelet-wrapper", "--config=x"], {
                encoding: "utf8",
            });
            const kubelet = join(folder, "kubelets/1.99.0/kubelet");
            const fetched = [kubelet, "1".repeat(64), ...downloads.kubelet.urls].join(" ");
            assert.equal(output, `${kubelet} --config=x fetched by: ${fetched}\n`);
        } finally {
            rmSync(folder, { recursive: true });
        }
    });
});
