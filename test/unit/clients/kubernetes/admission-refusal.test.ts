import assert from "node:assert/strict";
import { admissionRefusal } from "../../../../clients/kubernetes/admission-refusal";

/** Messages of kube-apiserver 1.36. */
const cases: [string, ReturnType<typeof admissionRefusal>][] = [
    [
        '500: Internal error occurred: failed calling webhook "a.example.com": failed to call webhook: Post "https://nothing.nowhere.svc:443/?timeout=30s": service "nothing" not found',
        {
            kind: "webhook-failure",
            name: "a.example.com",
            detail: 'failed to call webhook: Post "https://nothing.nowhere.svc:443/?timeout=30s": service "nothing" not found',
        },
    ],
    [
        '400: admission webhook "a.example.com" does not support dry run',
        {
            kind: "webhook-failure",
            name: "a.example.com",
            detail: 'admission webhook "a.example.com" does not support dry run',
        },
    ],
    [
        '403: admission webhook "a.example.com" denied the request: no team label',
        { kind: "webhook", name: "a.example.com", detail: "no team label" },
    ],
    [
        '400: admission webhook "a.example.com" denied the request without explanation',
        { kind: "webhook", name: "a.example.com", detail: "without explanation" },
    ],
    [
        `422: pods "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: false`,
        { kind: "policy", name: "b", detail: "failed expression: false" },
    ],
    [
        `403: pods "x" is forbidden: policy 'p' with binding 'b' denied request: expression resulted in error`,
        { kind: "mutating-policy", name: "b", detail: "expression resulted in error" },
    ],
    [
        '403: pods "x" is forbidden: exceeded quota: q, requested: pods=1, used: pods=11, limited: pods=0',
        { kind: "quota", name: "q", detail: "exceeded quota: q, requested: pods=1, used: pods=11, limited: pods=0" },
    ],
    [
        '403: pods "x" is forbidden: failed quota: q: must specify cpu for: haproxy',
        { kind: "quota", name: "q", detail: "failed quota: q: must specify cpu for: haproxy" },
    ],
    [
        '403: pods "x" is forbidden: status unknown for quota: q, resources: pods',
        { kind: "quota", name: "q", detail: "status unknown for quota: q, resources: pods" },
    ],
    [
        '403: pods "x" is forbidden: [maximum cpu usage per Container is 50m.  No limit is specified, maximum cpu usage per Container is 50m.  No limit is specified]',
        {
            kind: "limit-range",
            detail: "maximum cpu usage per Container is 50m.  No limit is specified, maximum cpu usage per Container is 50m.  No limit is specified",
        },
    ],
    [
        '422: Pod "x" is invalid: spec.containers[0].resources.requests: Invalid value: "250m": must be less than or equal to cpu limit of 10m',
        {
            kind: "limit-range",
            detail: 'requests: Invalid value: "250m": must be less than or equal to cpu limit of 10m',
        },
    ],
    [
        '403: pods "x" is forbidden: violates PodSecurity "restricted:latest": host namespaces (hostNetwork=true)',
        {
            kind: "pod-security",
            name: "restricted:latest",
            detail: 'violates PodSecurity "restricted:latest": host namespaces (hostNetwork=true)',
        },
    ],
    ['403: pods is forbidden: User "u" cannot create resource "pods" in API group ""', undefined],
    ["500: etcdserver: request timed out", undefined],
];

describe("the admission error in an API message", () => {
    for (const [message, expected] of cases) {
        it(`is ${expected?.kind ?? "nothing"} ${expected?.name ?? ""} in: ${message.slice(0, 90)}`, () => {
            assert.deepEqual(admissionRefusal(message), expected);
        });
    }
});
