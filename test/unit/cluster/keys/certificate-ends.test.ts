import assert from "node:assert/strict";
import { describeEnds } from "../../../../cluster/keys/certificates";

const now = Date.parse("2031-08-01T12:00:00Z");

describe("the warning of certificates that end", () => {
    it("is none 90 days before", () => {
        assert.equal(describeEnds({ "kube-apiserver": "2031-10-30T12:00:00Z" }, now), undefined);
    });

    it("says what to do about each certificate", () => {
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
                "certificates expire soon:",
                "  kubernetes-ca expires on 2031-09-01, in 31 days: rotate the CA with keys.kubernetesCa",
                "  kubernetes-ca-2 expired on 2031-07-30: rotate the CA with keys.kubernetesCa",
                "  front-proxy-ca-2 expires on 2031-09-01, in 31 days: rotate the CA with keys.frontProxyCa",
                "  etcd-ca expires on 2031-09-01, in 31 days: rotate the CA with keys.etcdCa",
                "  kube-apiserver expires on 2031-10-30, in 89 days: change certificates.generation to another number",
                "  etcd-c-controller-0 expired on 2031-07-30: change certificates.generation to another number",
                "  kubernetes-admin expires on 2031-08-02, in 1 days: change certificates.administrator to another number",
                "  kubernetes-admin-by-2 expires on 2031-08-02, in 1 days: change certificates.administrator to another number",
            ].join("\n"),
        );
    });

    it("omits certificates that machines renew, and those that are unused once the cluster runs", () => {
        const end = "2031-08-02T12:00:00Z";
        assert.equal(describeEnds({ "system:node:c-controller-0": end, "bootstrap-receiver": end }, now), undefined);
    });
});
