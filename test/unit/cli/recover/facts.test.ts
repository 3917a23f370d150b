import assert from "node:assert/strict";
import { parseFacts } from "../../../../cli/recover/facts";

/** A kubelet's certificate, until 2036. */
const certificate =
    "MIIBzDCCAXOgAwIBAgIUfRO5jM7LP9EDQqZJBgOGzyCrI7AwCgYIKoZIzj0EAwIwPDEVMBMGA1UECgwMc3lzdGVtOm5vZGVzMSMw" +
    "IQYDVQQDDBpzeXN0ZW06bm9kZTpjLWNvbnRyb2xsZXItMDAeFw0yNjExMjcxNjMzMzlaFw0zNjExMjQxNjMzMzlaMDwxFTATBgNV" +
    "BAoMDHN5c3RlbTpub2RlczEjMCEGA1UEAwwac3lzdGVtOm5vZGU6Yy1jb250cm9sbGVyLTAwWTATBgcqhkjOPQIBBggqhkjOPQMB" +
    "BwNCAASgmpnEKXX9p4u4fhEibgCNBxP5YqdcFzotS0rW34bJMnVH+aIs/unVdg/H7kwbHTrh60F9tSI8c+IHKunVWooUo1MwUTAd" +
    "BgNVHQ4EFgQU48DAcSteW65LfpLqy8YTPCsBCf0wHwYDVR0jBBgwFoAU48DAcSteW65LfpLqy8YTPCsBCf0wDwYDVR0TAQH/BAUw" +
    "AwEB/zAKBggqhkjOPQQDAgNHADBEAiB8QHqmhfw5yJrCeFMB66WEzg8HriwOTm+pgIU7T2yGPgIgeI4ycEwrXbytBqqBSQoDVfhq" +
    "WRYd5El2nykPov/p6lo=";
const head =
    `now 1795000000\ncertificate ${certificate}\nkey yes\ndata yes\nwhole yes\npod no\nready no\nover yes\n` +
    "snapshot c-20261121T10\nsnapshot c-20261120T10\n";

describe("the facts of a controller", () => {
    it("are parsed completely", () => {
        const recovery = { id: "1", from: "etcd", isHeld: true };
        assert.deepEqual(parseFacts(`${head}plan\n${JSON.stringify({ recovery })}`), {
            hasJoined: true,
            hasEtcdData: true,
            isEtcdDataWhole: true,
            hasEtcdStaticPod: false,
            isEtcdReady: false,
            last: { recovery, isOver: true },
            snapshots: ["c-20261120T10", "c-20261121T10"],
        });
    });

    it("have a certificate only if it is whole, has a key, and has not ended", () => {
        assert.ok(parseFacts(head).hasJoined);
        for (const other of [
            head.replace(certificate, ""),
            head.replace(certificate, certificate.slice(0, certificate.length / 2)),
            head.replace(certificate, "noise"),
            head.replace("key yes", "key no"),
            head.replace("now 1795000000", "now 2795000000"),
        ]) {
            assert.ok(!parseFacts(other).hasJoined, other);
        }
    });

    it("have a member only if none of its files is damaged", () => {
        const pod = head.replace("pod no", "pod yes");
        assert.ok(parseFacts(pod).hasEtcdStaticPod);
        for (const file of ["manifests/etcd.json", "pki/etcd/member.key"]) {
            assert.ok(!parseFacts(`${pod}damaged /etc/kubernetes/${file}\n`).hasEtcdStaticPod, file);
        }
        assert.ok(parseFacts(`${pod}damaged /etc/hostname\n`).hasEtcdStaticPod);
    });

    it("may be of a machine without any task", () => {
        assert.equal(
            parseFacts("certificate \nkey no\ndata no\nwhole no\npod no\nready no\nover no\n").last,
            undefined,
        );
    });

    it("are never those of an incomplete answer, which would look like an empty machine", () => {
        for (const text of [
            "",
            "\n",
            "Last login: today\n",
            head.replace("data yes\n", ""),
            head.replace("ready no", "ready"),
        ]) {
            assert.throws(() => parseFacts(text), /^Error: it gave no complete answer$/, text);
        }
    });

    it("may contain a truncated plan after a power cut", () => {
        assert.deepEqual(parseFacts(`${head}plan\n{"reco`).last, { recovery: undefined, isOver: true });
    });
});
