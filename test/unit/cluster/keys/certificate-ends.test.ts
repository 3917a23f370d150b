import assert from "node:assert/strict";
import { describeEnds } from "../../../../cluster/keys/certificates";

const now = Date.parse("2031-08-01T12:00:00Z");

describe("the warning of certificates that end", () => {
    it("is none 90 days before", () => {
        assert.equal(describeEnds({ "kube-apiserver": "2031-10-30T12:00:00Z" }, now), undefined);
    });

    it("says of each what to do", () => {
        assert.equal(
            describeEnds(
                {
                    "kubernetes-ca": "2031-09-01T12:00:00Z",
                    "kubernetes-ca-2": "2031-07-30T00:00:00Z",
                    "front-proxy-ca-2": "2031-09-01T12:00:00Z",
                    "etcd-ca": "2031-09-01T12:00:00Z",
                    "kube-apiserver": "2031-10-30T11:59:59Z",
                    "etcd-c-controller-0": "2031-07-30T00:00:00Z",
                    "kubernetes-admin": "2031-08-02T12:00:00Z",
                    "kubernetes-admin-by-2": "2031-08-02T12:00:00Z",
                    "front-proxy-client": "2035-01-01T00:00:00Z",
                },
                now,
            ),
            [
                "certificates end:",
                "  kubernetes-ca ends on 2031-09-01, in 31 days: have another authority follow it by keys.kubernetesCa",
                "  kubernetes-ca-2 ended on 2031-07-30: have another authority follow it by keys.kubernetesCa",
                "  front-proxy-ca-2 ends on 2031-09-01, in 31 days: have another authority follow it by keys.frontProxyCa",
                "  etcd-ca ends on 2031-09-01, in 31 days: have another authority follow it by keys.etcdCa",
                "  kube-apiserver ends on 2031-10-30, in 89 days: give certificates.generation another number",
                "  etcd-c-controller-0 ended on 2031-07-30: give certificates.generation another number",
                "  kubernetes-admin ends on 2031-08-02, in 1 days: give certificates.administrator another number",
                "  kubernetes-admin-by-2 ends on 2031-08-02, in 1 days: give certificates.administrator another number",
            ].join("\n"),
        );
    });

    it("leaves out what its machine renews, and what nobody uses once there is a cluster", () => {
        const end = "2031-08-02T12:00:00Z";
        assert.equal(describeEnds({ "system:node:c-controller-0": end, "bootstrap-receiver": end }, now), undefined);
    });
});
