import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { layOut } from "../../../cli/graph/layout";
import { type StackFacts, stackFactsIn } from "../../../cli/graph/stack-facts";
import { topologyOf } from "../../../cli/graph/topology-of";
import { renderSvg } from "../../../cli/picture/svg";
import type { Export } from "../../../cli/reach/stack-record";
import { type ClusterFacts, known, unknown } from "../../../cli/status/facts";
import { judge } from "../../../cli/status/judge";
import { elementsOf } from "../../unit/cli/picture/xml";

/**
 * What `tradewind graph` shows of a dry-run cluster from its state alone: nothing of it runs, and nothing is queried.
 */
export function pictureOnPaper(exported: Export, stack: string): { readonly facts: StackFacts; readonly svg: string } {
    const facts = stackFactsIn(exported, stack);
    const nothing = unknown<never>("this is a dry run");
    const learned: ClusterFacts = {
        cluster: facts.cluster,
        isLocal: false,
        at: "2026-11-24T00:00:00.000Z",
        api: { url: "unknown", serving: nothing },
        controllers: [],
        nodes: nothing,
        pods: nothing,
        leaders: nothing,
        admission: nothing,
        requests: nothing,
        checkpoints: nothing,
        etcd: nothing,
        snapshot: nothing,
        workloads: nothing,
        certificates: [],
    };
    return { facts, svg: renderSvg(layOut(topologyOf(learned, judge(learned), known(facts)))) };
}

/** Whether the docs show such a picture: with the same words except numbers, which differ per account. */
export function isInDocs(file: string, svg: string): void {
    const path = resolve(__dirname, "../../../docs/pictures", file);
    if (process.env.UPDATE_GOLDEN) writeFileSync(path, svg);
    const words = (picture: string) =>
        elementsOf(picture).map(({ text }) => text.replace(/[0-9a-f]*\d[0-9a-f]*/g, "0"));
    assert.deepEqual(words(readFileSync(path, "utf8")), words(svg), "UPDATE_GOLDEN=1 redraws it");
}
