import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isWithin, readRequests } from "../../../local/requests";
import { requestsOf, type Tallies } from "../../cluster/prober";
import { at, requests } from "../cli/timeline/sample";

describe("the results of a prober", () => {
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-requests-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const written = (content: unknown) => {
        const path = join(folder, "requests.json");
        writeFileSync(path, JSON.stringify(content));
        return path;
    };

    it("are read as the prober writes them", () => {
        const tally = { requests: 3, failures: [{ at: at(1), what: "HTTP 503" }], longestGap: 7 };
        const tallies: Tallies = { new: tally, http2: tally, watch: tally, keepAlive: tally };
        const file = requestsOf(tallies, new Date(at(0)), new Date(at(9)));
        assert.deepEqual(readRequests(written(file)), { from: at(0), to: at(9), clients: tallies });
    });

    it("must be valid, in an existing file", () => {
        const legal = /^Error: --requests must be a file with a prober's results \(docs\/pictures\.md\), got /;
        assert.throws(() => readRequests(join(folder, "none.json")), legal);
        assert.throws(() => readRequests(written({ ...requests(), from: "yesterday" })), legal);
    });

    it("cover a time, which may overlap a run", () => {
        assert.equal(isWithin(requests(), Date.parse(at(0)), Date.parse(at(5))), true);
        assert.equal(isWithin(requests(), Date.parse(at(46)), Date.parse(at(50))), false);
    });
});
