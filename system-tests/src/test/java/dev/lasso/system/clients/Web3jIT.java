package dev.lasso.system.clients;

import static java.math.BigInteger.ONE;
import static java.math.BigInteger.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.web3j.abi.CustomErrorEncoder;
import org.web3j.abi.DefaultFunctionEncoder;
import org.web3j.abi.EventEncoder;
import org.web3j.abi.FunctionEncoder;
import org.web3j.abi.FunctionReturnDecoder;
import org.web3j.abi.TypeReference;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.CustomError;
import org.web3j.abi.datatypes.Event;
import org.web3j.abi.datatypes.Function;
import org.web3j.abi.datatypes.generated.Uint256;
import org.web3j.crypto.Credentials;
import org.web3j.protocol.Web3j;
import org.web3j.protocol.core.BatchResponse;
import org.web3j.protocol.core.DefaultBlockParameter;
import org.web3j.protocol.core.DefaultBlockParameterName;
import org.web3j.protocol.core.methods.request.EthFilter;
import org.web3j.protocol.core.methods.request.Transaction;
import org.web3j.protocol.core.methods.response.EthBlock;
import org.web3j.protocol.core.methods.response.EthCall;
import org.web3j.protocol.core.methods.response.EthChainId;
import org.web3j.protocol.core.methods.response.EthGetBalance;
import org.web3j.protocol.core.methods.response.Log;
import org.web3j.protocol.core.methods.response.TransactionReceipt;
import org.web3j.protocol.http.HttpService;
import org.web3j.tx.RawTransactionManager;

/** web3j against the scene's endpoint. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Web3jIT {
  private static final long CHAIN_ID = 31337;
  private static final BigInteger LIMIT = BigInteger.valueOf(1000);

  /** The fourth key of anvil's public test mnemonic; worth nothing. */
  private static final Credentials ACCOUNT =
      Credentials.create("0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6");

  private static final Event TURNED =
      new Event(
          "Turned",
          List.of(
              TypeReference.create(Address.class, true),
              TypeReference.create(Uint256.class, true),
              TypeReference.create(Uint256.class)));

  private final ClientScene scene;
  private final Web3j web3j;
  private final RawTransactionManager sender;
  private String dial = "";

  Web3jIT() throws IOException {
    scene = ClientScene.start();
    web3j = Web3j.build(new HttpService(scene.http()));
    sender = new RawTransactionManager(web3j, ACCOUNT, CHAIN_ID);
  }

  @BeforeAll
  void deploysTheContract() throws IOException {
    dial = send(null, ClientScene.bytecode()).getContractAddress();
  }

  @AfterAll
  void stops() throws Exception {
    web3j.shutdown();
    scene.close();
  }

  @Test
  void chainId() throws IOException {
    assertThat(web3j.ethChainId().send().getChainId()).isEqualTo(CHAIN_ID);
    assertThat(web3j.netVersion().send().getNetVersion()).isEqualTo(Long.toString(CHAIN_ID));
  }

  @Test
  void blocksByNumberAndHashAreLinked() throws IOException {
    EthBlock.Block first = block(DefaultBlockParameter.valueOf(ONE));
    assertThat(first.getParentHash())
        .isEqualTo(block(DefaultBlockParameterName.EARLIEST).getHash());
    assertThat(web3j.ethGetBlockByHash(first.getHash(), false).send().getBlock().getNumber())
        .isEqualTo(ONE);
    assertThat(web3j.ethBlockNumber().send().getBlockNumber()).isGreaterThan(ONE);
  }

  @Test
  void aSignedTransactionItsReceiptAndTheCallThatSeesIt() throws IOException {
    TransactionReceipt receipt = turnTo(BigInteger.valueOf(12));
    assertThat(receipt.isStatusOK()).isTrue();
    assertThat(receipt.getFrom()).isEqualToIgnoringCase(ACCOUNT.getAddress());
    assertThat(position()).isEqualTo(12);
  }

  @Test
  void balancesNowAndAtABlock() throws IOException {
    TransactionReceipt receipt = turnTo(BigInteger.valueOf(13));
    DefaultBlockParameter before =
        DefaultBlockParameter.valueOf(receipt.getBlockNumber().subtract(ONE));
    BigInteger fee =
        receipt
            .getGasUsed()
            .multiply(new BigInteger(receipt.getEffectiveGasPrice().substring(2), 16));
    assertThat(balance(DefaultBlockParameter.valueOf(receipt.getBlockNumber())))
        .isEqualTo(balance(before).subtract(fee));
  }

  @Test
  void logsFilteredByAnIndexedArgument() throws IOException {
    BigInteger from = position();
    TransactionReceipt receipt = turnTo(from.equals(ONE) ? BigInteger.TWO : ONE);
    EthFilter filter =
        new EthFilter(
            DefaultBlockParameter.valueOf(receipt.getBlockNumber()),
            DefaultBlockParameterName.LATEST,
            dial);
    filter.addSingleTopic(EventEncoder.encode(TURNED));
    filter.addNullTopic();
    filter.addSingleTopic("0x" + FunctionEncoder.encodeConstructor(List.of(new Uint256(from))));
    assertThat(web3j.ethGetLogs(filter).send().getLogs())
        .isNotEmpty()
        .first()
        .extracting(log -> ((Log) log.get()).getBlockHash())
        .isEqualTo(receipt.getBlockHash());
  }

  @Test
  void aRevertWithATextIsDecoded() throws IOException {
    EthCall answer = call(new Function("turnBack", List.of(), List.of()));
    assertThat(answer.isReverted()).isTrue();
    assertThat(answer.getRevertReason()).contains("the dial only turns forward");
  }

  @Test
  void aRevertWithACustomErrorKeepsItsData() throws IOException {
    CustomError beyondLimit =
        new CustomError(
            "BeyondLimit",
            List.of(
                TypeReference.create(Address.class),
                TypeReference.create(Uint256.class),
                TypeReference.create(Uint256.class)));
    EthCall answer = call(turning(LIMIT.add(ONE)));
    String selector = CustomErrorEncoder.encode(beyondLimit).substring(0, 10);
    String arguments =
        new DefaultFunctionEncoder()
            .encodeParameters(
                List.of(
                    new Address(ACCOUNT.getAddress()),
                    new Uint256(LIMIT.add(ONE)),
                    new Uint256(LIMIT)));
    assertThat(answer.getError().getData()).contains(selector + arguments);
  }

  @Test
  void gasIsEstimated() throws IOException {
    Transaction transaction =
        Transaction.createEthCallTransaction(
            ACCOUNT.getAddress(), dial, FunctionEncoder.encode(turning(BigInteger.valueOf(500))));
    assertThat(web3j.ethEstimateGas(transaction).send().getAmountUsed())
        .isGreaterThan(BigInteger.valueOf(21_000));
    assertThat(web3j.ethGasPrice().send().getGasPrice()).isPositive();
  }

  @Test
  void aBatchHasEveryAnswerInItsPlace() throws IOException {
    BatchResponse batch =
        web3j
            .newBatch()
            .add(web3j.ethChainId())
            .add(web3j.ethGetBlockByNumber(DefaultBlockParameter.valueOf(ONE), false))
            .add(web3j.ethGetBalance(ACCOUNT.getAddress(), DefaultBlockParameterName.LATEST))
            .send();
    assertThat(((EthChainId) batch.getResponses().get(0)).getChainId()).isEqualTo(CHAIN_ID);
    assertThat(((EthBlock) batch.getResponses().get(1)).getBlock().getNumber()).isEqualTo(ONE);
    assertThat(((EthGetBalance) batch.getResponses().get(2)).getBalance()).isPositive();
  }

  private TransactionReceipt turnTo(BigInteger position) throws IOException {
    return send(dial, FunctionEncoder.encode(turning(position)));
  }

  private TransactionReceipt send(@Nullable String to, String data) throws IOException {
    BigInteger gasPrice = BigInteger.valueOf(50_000_000_000L);
    String hash =
        sender
            .sendTransaction(gasPrice, BigInteger.valueOf(1_000_000), to, data, ZERO)
            .getTransactionHash();
    scene.mine(1);
    return web3j.ethGetTransactionReceipt(hash).send().getTransactionReceipt().orElseThrow();
  }

  private BigInteger position() throws IOException {
    Function getter =
        new Function("position", List.of(), List.of(TypeReference.create(Uint256.class)));
    var values =
        FunctionReturnDecoder.decode(call(getter).getValue(), getter.getOutputParameters());
    return ((Uint256) values.getFirst()).getValue();
  }

  private EthCall call(Function function) throws IOException {
    return web3j
        .ethCall(
            Transaction.createEthCallTransaction(
                ACCOUNT.getAddress(), dial, FunctionEncoder.encode(function)),
            DefaultBlockParameterName.LATEST)
        .send();
  }

  private static Function turning(BigInteger position) {
    return new Function("turnTo", List.of(new Uint256(position)), List.of());
  }

  private EthBlock.Block block(DefaultBlockParameter at) throws IOException {
    return web3j.ethGetBlockByNumber(at, false).send().getBlock();
  }

  private BigInteger balance(DefaultBlockParameter at) throws IOException {
    return web3j.ethGetBalance(ACCOUNT.getAddress(), at).send().getBalance();
  }
}
