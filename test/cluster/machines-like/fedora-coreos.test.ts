import { describeLong } from "../../takes-long";
import { describeBareMachine } from "./bare-machine";
import { likeCluster } from "./like-cluster";
import { systems } from "./systems";

describeBareMachine("fedora-coreos", systems["fedora-coreos"]);

describeLong(
    "a cluster of machines like Fedora CoreOS",
    likeCluster("fedora-coreos", systems["fedora-coreos"], "ignition"),
);
