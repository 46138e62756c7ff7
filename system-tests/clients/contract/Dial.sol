// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A dial that anyone may turn, within a limit. It has one of each thing a client library must get right through an
/// endpoint: a getter, an event with indexed fields, a revert with a text and a revert with a custom error.
contract Dial {
    uint256 public constant LIMIT = 1000;

    uint256 public position;

    event Turned(address indexed by, uint256 indexed from, uint256 to);

    error BeyondLimit(address by, uint256 wanted, uint256 limit);

    function turnTo(uint256 wanted) external {
        if (wanted > LIMIT) revert BeyondLimit(msg.sender, wanted, LIMIT);
        emit Turned(msg.sender, position, wanted);
        position = wanted;
    }

    function turnBack() external pure {
        revert("the dial only turns forward");
    }
}
