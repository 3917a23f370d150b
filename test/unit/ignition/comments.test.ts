import assert from "node:assert/strict";
import { compressed, config, diffable, file, unit, withoutComments } from "../../../ignition";

describe("a config without comments", () => {
    const script =
        "#!/bin/sh\n# Does it.\nset -eu\nif true; then\n    # shellcheck disable=SC2086\n    echo '#' # it\nfi\n";
    const short = "#!/bin/sh\nset -eu\nif true; then\n    echo '#' # it\nfi\n";
    const texts = (path: string, text: string) =>
        diffable(withoutComments(config({ files: [file(path, text, { mode: 0o755 })] }), "/opt/own"))[path];

    it("has scripts without the lines that are comments, with the first and all others", () => {
        assert.equal(texts("/opt/own/do", script), `mode 0755\n${short}`);
    });

    it("has other files as they were", () => {
        assert.equal(texts("/opt/own-not/do", script), `mode 0755\n${script}`);
        const settings = "# A comment of a format unknown here\nx = 1\n";
        assert.equal(texts("/opt/own/settings", settings), `mode 0755\n${settings}`);
        const packed = compressed(config({ files: [file("/opt/own/do", script.repeat(9))] }));
        assert.deepEqual(withoutComments(packed, "/opt/own"), packed);
    });

    it("has units without them", () => {
        const contents = (comment: string) => `[Unit]\n${comment}[Service]\nExecStart=/bin/echo '#' \\\n    a\n`;
        const of = (comment: string) =>
            config({
                units: [
                    unit("a.service", { enabled: true, contents: contents(comment) }),
                    unit("b.service", { dropins: [{ name: "c.conf", contents: contents(comment) }] }),
                    unit("d.service", { mask: true }),
                ],
            });
        assert.deepEqual(withoutComments(of("# It runs.\n; So it does.\n"), "/opt/own"), of(""));
    });
});
