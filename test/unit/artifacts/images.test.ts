import assert from "node:assert/strict";
import { ETCD_VERSIONS, images, imagesFor, KUBERNETES_VERSIONS, mirrorPath, versions } from "../../../artifacts";
import { commonRecipes, etcdRecipe, kubernetesRecipes } from "../../../artifacts/recipes";

describe("images", () => {
    it("have the names that a node asks the mirror for", () => {
        assert.deepEqual(mirrorPath(images.kubeApiserver), {
            repository: "kube-apiserver",
            tag: `v${versions.kubernetes}`,
        });
        assert.equal(mirrorPath(images.etcd).repository, "coreos/etcd");
        assert.equal(mirrorPath(images.coredns).repository, "coredns/coredns");
        assert.equal(mirrorPath(images.node).repository, "library/node");
    });

    it("differ between Kubernetes versions in Kubernetes' own four alone", () => {
        const [newer, older] = [imagesFor("1.36.3"), imagesFor("1.35.4")];
        const differing = Object.keys(newer).filter((key) => newer[key as never] !== older[key as never]);
        assert.deepEqual(differing, ["kubeApiserver", "kubeControllerManager", "kubeScheduler", "kubeProxy"]);
    });

    it("are all made", () => {
        for (const version of KUBERNETES_VERSIONS) {
            const made = [...commonRecipes(), ...kubernetesRecipes(version)].map(({ image }) => image);
            assert.deepEqual(made.sort(), Object.values(imagesFor(version)).sort());
        }
        for (const version of ETCD_VERSIONS) {
            assert.equal(etcdRecipe(version).image, imagesFor("1.36.3", version).etcd);
        }
    });

    it("are never two under one name in the mirror", () => {
        const names = [...commonRecipes(), ...KUBERNETES_VERSIONS.flatMap(kubernetesRecipes)].flatMap(
            ({ image, aliases = [] }) => [image, ...aliases],
        );
        const paths = names.map((name) => Object.values(mirrorPath(name)).join(":"));
        assert.deepEqual([...new Set(paths)], paths);
    });

    for (const image of ["busybox", "busybox:1.35", "docker.io/busybox"]) {
        it(`must be named in full, unlike ${image}`, () => {
            assert.throws(() => mirrorPath(image), {
                message: `image must be <registry>/<repository>:<tag>, got ${image}`,
            });
        });
    }
});
